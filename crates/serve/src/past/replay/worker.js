// The same for workers, which have no page: what they fetch and import comes from the archive.
((told) => {
  if (self.__tt_m) return;
  const here = self.location.protocol === "blob:" ? self.origin : self.location.origin;
  const resource = (value) => {
    let url;
    try { url = new URL(value, self.location.href.startsWith("blob:") ? here : self.location.href); } catch { return value; }
    if (!/^https?:$/.test(url.protocol) || url.origin === here || url.host.endsWith("." + told.suffix)) return value;
    return url.origin === told.past ? here + url.pathname + url.search + url.hash : here + "/__tt/f/" + url.href;
  };
  Object.defineProperty(self, "__tt_m", { value: (name) => (/^(https?:)?\/\//i.test(String(name)) ? resource(String(name)) : name) });
  const { fetch, importScripts, Request, XMLHttpRequest } = self;
  self.fetch = (input, options) => {
    if (!(input instanceof Request)) return fetch(resource(String(input)), options);
    const to = resource(input.url);
    return fetch(to === input.url ? input : new Request(to, input), options);
  };
  if (XMLHttpRequest) {
    const { open } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.open = function (method, url, ...rest) { return open.call(this, method, resource(String(url)), ...rest); };
  }
  if (importScripts) self.importScripts = (...urls) => importScripts.apply(self, urls.map((url) => resource(String(url))));
})
