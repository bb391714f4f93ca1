// Keeps what scripts make of addresses inside the archive. What it misses is stopped by the policy of the page.
(() => {
  const own = document.currentScript;
  const { past, suffix } = JSON.parse(own.dataset.past);
  own.remove();
  const here = location.origin;
  const parsed = (value) => {
    try {
      const url = new URL(value, document.baseURI);
      return url.protocol === "http:" || url.protocol === "https:" ? url : null;
    } catch { return null; }
  };
  const isHere = (url) => url.origin === here || url.host === suffix || url.host.endsWith("." + suffix);
  const local = (url) => here + url.pathname + url.search + url.hash;
  const resource = (value) => {
    const url = parsed(value);
    if (!url || isHere(url)) return value;
    return url.origin === past ? local(url) : here + "/__tt/f/" + url.href;
  };
  const page = (value) => {
    const url = parsed(value);
    if (!url || isHere(url)) return value;
    return url.origin === past ? local(url) : here + "/__tt/go/" + url.href;
  };
  const srcset = (value) => String(value).split(/,\s+/).map((part) => {
    const [url, ...size] = part.trim().split(/\s+/);
    return [resource(url), ...size].join(" ");
  }).join(", ");

  const wrap = (object, name, make) => {
    const original = object && object[name];
    if (typeof original === "function") object[name] = make(original);
  };
  wrap(window, "fetch", (fetch) => function (input, options) {
    if (input instanceof Request) {
      const to = resource(input.url);
      return fetch.call(this, to === input.url ? input : new Request(to, input), options);
    }
    return fetch.call(this, resource(String(input)), options);
  });
  wrap(XMLHttpRequest.prototype, "open", (open) => function (method, url, ...rest) {
    return open.call(this, method, resource(String(url)), ...rest);
  });
  wrap(window, "open", (open) => function (url, ...rest) { return open.call(this, url ? page(String(url)) : url, ...rest); });
  navigator.sendBeacon = () => true;
  for (const name of ["Worker", "SharedWorker", "EventSource"]) {
    wrap(window, name, (Made) => new Proxy(Made, {
      construct: (made, [url, ...rest]) => Reflect.construct(made, [resource(String(url)), ...rest]),
    }));
  }
  for (const name of ["pushState", "replaceState"]) {
    wrap(History.prototype, name, (original) => function (state, title, url) {
      return original.call(this, state, title, url == null ? url : page(String(url)));
    });
  }
  if (navigator.serviceWorker) {
    navigator.serviceWorker.register = () => Promise.reject(new DOMException("workers of the past do not run here", "SecurityError"));
  }

  const ways = {
    IMG: { src: resource, srcset }, SCRIPT: { src: resource }, LINK: { href: resource }, SOURCE: { src: resource, srcset },
    VIDEO: { src: resource, poster: resource }, AUDIO: { src: resource }, TRACK: { src: resource }, EMBED: { src: resource },
    INPUT: { src: resource, formaction: page }, BUTTON: { formaction: page }, IFRAME: { src: page }, FRAME: { src: page },
    A: { href: page }, AREA: { href: page }, FORM: { action: page },
  };
  const way = (element, name) => (ways[element.tagName] || {})[String(name).toLowerCase()];
  const classes = {
    HTMLImageElement: "IMG", HTMLScriptElement: "SCRIPT", HTMLLinkElement: "LINK", HTMLSourceElement: "SOURCE",
    HTMLVideoElement: "VIDEO", HTMLTrackElement: "TRACK", HTMLEmbedElement: "EMBED", HTMLInputElement: "INPUT",
    HTMLIFrameElement: "IFRAME", HTMLFrameElement: "FRAME", HTMLAnchorElement: "A", HTMLAreaElement: "AREA", HTMLFormElement: "FORM",
  };
  const setter = (prototype, name, change) => {
    const known = prototype && Object.getOwnPropertyDescriptor(prototype, name);
    if (known && known.set) {
      Object.defineProperty(prototype, name, { ...known, set(value) { known.set.call(this, change(String(value))); } });
    }
  };
  for (const [name, tag] of Object.entries(classes)) {
    for (const [property, change] of Object.entries(ways[tag])) setter(window[name] && window[name].prototype, property, change);
  }
  setter(HTMLMediaElement.prototype, "src", resource);
  wrap(Element.prototype, "setAttribute", (set) => function (name, value) {
    const change = way(this, name);
    return set.call(this, name, change ? change(String(value)) : value);
  });
  const mend = (element) => {
    for (const [name, change] of Object.entries(ways[element.tagName] || {})) {
      const value = element.getAttribute(name);
      if (value && change(value) !== value) element.setAttribute(name, value);
    }
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      for (const node of change.addedNodes) {
        if (node.nodeType !== 1) continue;
        mend(node);
        node.querySelectorAll("[src],[href],[srcset],[action],[poster],[formaction]").forEach(mend);
      }
    }
  }).observe(document, { childList: true, subtree: true });

  // A script that leaves for the live web arrives in the archive instead.
  if (window.navigation) {
    navigation.addEventListener("navigate", (event) => {
      const url = parsed(event.destination.url);
      if (!url || isHere(url) || !event.cancelable) return;
      event.preventDefault();
      location.assign(page(url.href));
    });
  }
  const told = (object, name, get) => Object.defineProperty(object, name, { configurable: true, get });
  told(document, "domain", () => new URL(past).hostname);
  told(document, "URL", () => past + location.pathname + location.search + location.hash);
})();
