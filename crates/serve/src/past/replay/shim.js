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
  // Addresses in style sheets and in markup that scripts write.
  const styled = (text) => String(text).replace(/url\(\s*(["']?)((?:https?:)?\/\/[^"')\s]+)\1\s*\)/gi, (_, quote, url) => `url(${quote}${resource(url)}${quote})`);
  const marked = (text) => String(text).replace(/(<[a-z][^>]*?\s(?:src|href|poster|data)\s*=\s*)(["']?)((?:https?:)?\/\/[^"'\s>]+)\2/gi,
    (whole, start, quote, url) => (/^<(a|area|i?frame|base)\s/i.test(start) ? whole : start + quote + resource(url) + quote));
  Object.defineProperty(window, "__tt_m", { value: (name) => (/^(https?:)?\/\//i.test(String(name)) ? resource(String(name)) : name) });
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
  // A worker made of a blob is told first what one with an address is told by the server.
  const worker = (url, options) => {
    if (!url.startsWith("blob:")) return resource(url);
    const [first, then] = [JSON.stringify(here + "/__tt/worker.js"), JSON.stringify(url)];
    const isModule = options && options.type === "module";
    const source = isModule ? `import ${first}; import ${then};` : `importScripts(${first}, ${then});`;
    return URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  };
  const made = (name, change) => wrap(window, name, (Made) => new Proxy(Made, {
    construct: (known, [value, ...rest], target) => Reflect.construct(known, change(value, ...rest), target === window[name] ? known : target),
  }));
  for (const name of ["Worker", "SharedWorker"]) made(name, (url, options) => [worker(String(url), options), options]);
  made("EventSource", (url, ...rest) => [resource(String(url)), ...rest]);
  made("FontFace", (family, source, ...rest) => [family, typeof source === "string" ? styled(source) : source, ...rest]);
  for (const name of ["insertRule", "addRule", "replace", "replaceSync"]) {
    wrap(CSSStyleSheet.prototype, name, (original) => function (text, ...rest) { return original.call(this, styled(text), ...rest); });
  }
  for (const name of ["write", "writeln"]) {
    wrap(Document.prototype, name, (original) => function (...texts) { return original.call(this, marked(texts.join(""))); });
  }
  // Pages of one archive speak to each other by the names they had.
  const pastOf = (origin) => {
    const host = origin.replace(/^https?:\/\//, "");
    if (!host.endsWith("." + suffix)) return origin;
    const labels = host.slice(0, -suffix.length - 1).split(".").slice(1);
    const [, scheme, name] = /^([sh])-(.*)$/.exec(labels.pop() || "") || [];
    if (!scheme) return origin;
    const domain = name.replace(/-(0|-|p|x([0-9a-f]{2}))/g, (_, kind, hex) => (hex ? String.fromCharCode(parseInt(hex, 16)) : { 0: "-", "-": ".", p: ":" }[kind]));
    return (scheme === "s" ? "https://" : "http://") + [...labels, domain].join(".");
  };
  wrap(window, "postMessage", (post) => function (message, to, ...rest) {
    const isName = typeof to === "string" && /^https?:/i.test(to);
    return post.call(this === undefined ? window : this, message, isName ? "*" : to, ...rest);
  });
  const origin = Object.getOwnPropertyDescriptor(MessageEvent.prototype, "origin");
  if (origin && origin.get) {
    Object.defineProperty(MessageEvent.prototype, "origin", { ...origin, get() { return pastOf(origin.get.call(this)); } });
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
    const change = String(name).toLowerCase() === "style" ? styled : way(this, name);
    return set.call(this, name, change ? change(String(value)) : value);
  });
  wrap(Element.prototype, "setAttributeNS", (set) => function (space, name, value) {
    return set.call(this, space, name, /^(xlink:)?href$/i.test(name) && this.tagName !== "a" ? resource(String(value)) : value);
  });
  const restyle = (element) => {
    const text = element.tagName === "STYLE" ? element.textContent : element.getAttribute("style");
    if (!text || !text.includes("url(") || styled(text) === text) return;
    if (element.tagName === "STYLE") element.textContent = styled(text);
    else element.setAttribute("style", text);
  };
  const mend = (element) => {
    for (const [name, change] of Object.entries(ways[element.tagName] || {})) {
      const value = element.getAttribute(name);
      if (value && change(value) !== value) element.setAttribute(name, value);
    }
  };
  // A script that prints its own address prints the name it is shown under: what is read is the name it had.
  const reprint = (text) => {
    if (text.data.includes(here) && !/^(SCRIPT|STYLE)$/.test(text.parentNode?.nodeName)) text.data = text.data.replaceAll(here, past);
  };
  const reprintAll = (element) => {
    if (!element.textContent.includes(here)) return;
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) reprint(text);
  };
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "characterData") { reprint(change.target); continue; }
      if (change.type === "attributes" || change.target.tagName === "STYLE") restyle(change.target);
      for (const node of change.addedNodes) {
        if (node.nodeType === 3) reprint(node);
        if (node.nodeType !== 1) continue;
        mend(node);
        restyle(node);
        reprintAll(node);
        node.querySelectorAll("[src],[href],[srcset],[action],[poster],[formaction]").forEach(mend);
        node.querySelectorAll("style,[style]").forEach(restyle);
      }
    }
  }).observe(document, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: ["style"] });

  // What differs from another version is lit up where the interface shows both beside each other; the page itself stays as it is.
  const lit = (side, blocks) => {
    const nodes = [];
    let text = "";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(node.parentNode.nodeName) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      nodes.push([text.length, node]);
      text += node.data.replace(/\s+/g, "");
    }
    // Where the letter of a number stands, spaces not counted.
    const place = (number) => {
      let [low, high] = [0, nodes.length - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (nodes[middle][0] <= number) low = middle; else high = middle - 1;
      }
      const [start, node] = nodes[low];
      let [left, at] = [number - start, 0];
      for (; at < node.data.length; at += 1) if (!/\s/.test(node.data[at]) && left-- === 0) break;
      return [node, at];
    };
    const range = (from, to) => {
      const [made, [first, start], [last, end]] = [new Range(), place(from), place(to - 1)];
      made.setStart(first, start);
      made.setEnd(last, Math.min(end + 1, last.data.length));
      return made;
    };
    const [words, moved] = [new Highlight(), new Highlight()];
    let [behind, top] = [0, Infinity];
    for (const block of blocks) {
      const runs = block.runs.map(([run, alone]) => [run.replace(/\s+/g, ""), alone]);
      const whole = runs.map(([run]) => run).join("");
      const next = block.moved ? -1 : text.indexOf(whole, behind);
      let at = next < 0 ? text.indexOf(whole) : next;
      if (!whole || at < 0) continue;
      if (!block.moved) behind = at + whole.length;
      else moved.add(range(at, at + whole.length));
      for (const [run, alone] of runs) {
        if (alone && run) {
          const made = range(at, at + run.length);
          words.add(made);
          top = Math.min(top, made.getBoundingClientRect().top);
        }
        at += run.length;
      }
    }
    const style = new CSSStyleSheet();
    const color = side === "after" ? "#b9ecc3;color:#0b4a19" : "#ffc9c4;color:#6b0f09";
    style.replaceSync(`::highlight(tintype-moved){background:#e0d9ff;color:#2c1f66}::highlight(tintype-words){background:${color}}`);
    document.adoptedStyleSheets.push(style);
    words.priority = 1;
    CSS.highlights.set("tintype-moved", moved);
    CSS.highlights.set("tintype-words", words);
    if (top < Infinity) scrollTo(0, top + scrollY - innerHeight / 3);
  };
  if (window !== top && window.name.startsWith("tintype-marks:")) {
    const marks = window.name.slice(14);
    window.name = "";
    try {
      const { side, blocks } = JSON.parse(marks);
      if (window.Highlight) addEventListener("load", () => lit(side, blocks));
    } catch {
      // A page gave its own frame such a name: no marks of ours.
    }
  }

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
