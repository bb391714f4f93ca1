// Real sites on loopback: what package registries carry, served as their generators made it.
import { createServer, request as ask } from "node:http";
import { createReadStream, existsSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif", ".ico": "image/x-icon", ".woff2": "font/woff2",
  ".woff": "font/woff", ".ttf": "font/ttf", ".md": "text/markdown; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".wasm": "application/wasm",
};

/** Every site: what made it, where its files are or who answers for it, and the pages that are photographed. */
export const sites = (work) => [
  { name: "python-docs", generator: "Sphinx", root: "/usr/share/doc/python3.11/html",
    pages: ["/index.html", "/library/json.html", "/tutorial/index.html", "/whatsnew/3.11.html", "/genindex-Q.html"] },
  { name: "rust-docs", generator: "rustdoc", root: "/usr/share/doc/rust-doc/html",
    pages: ["/std/index.html", "/std/vec/struct.Vec.html", "/core/option/enum.Option.html", "/alloc/index.html"] },
  { name: "rust-book", generator: "mdBook", root: "/usr/share/doc/rust-doc/html",
    pages: ["/book/index.html", "/book/ch04-01-what-is-ownership.html", "/edition-guide/index.html", "/embedded-book/index.html"] },
  { name: "postgresql-docs", generator: "DocBook", root: "/usr/share/doc/postgresql-doc-15/html",
    pages: ["/index.html", "/sql-select.html", "/tutorial-join.html", "/datatype.html"] },
  { name: "debian-handbook", generator: "Publican", root: "/usr/share/doc/debian-handbook/html/en-US",
    pages: ["/index.html", "/sect.apt-get.html", "/packaging-system.html"] },
  { name: "mkdocs-material", generator: "MkDocs Material", root: `${work}/mkdocs/site`,
    pages: ["/index.html", "/replay/", "/settings/", "/lab/"] },
  { name: "vitepress", generator: "VitePress (Vue, single page)", root: `${work}/vitepress/.vitepress/dist`,
    pages: ["/index.html", "/keeping.html", "/changes.html"] },
  { name: "dokuwiki", generator: "DokuWiki", backend: "/wiki",
    pages: ["/doku.php?id=wiki:syntax", "/doku.php?id=wiki:dokuwiki", "/doku.php?id=start&do=index", "/doku.php?id=wiki:welcome"] },
  { name: "gitweb", generator: "gitweb", backend: "/git",
    pages: ["/", "/?p=repository.git;a=summary", "/?p=repository.git;a=log", "/?p=repository.git;a=tree"] },
  { name: "sb-admin", generator: "Bootstrap", root: `${work}/node_modules/startbootstrap-sb-admin-2`,
    pages: ["/index.html", "/charts.html", "/tables.html", "/buttons.html", "/login.html"] },
  { name: "creative", generator: "Bootstrap", root: `${work}/node_modules/startbootstrap-creative/dist`, pages: ["/index.html"] },
  { name: "reveal", generator: "reveal.js", root: `${work}/node_modules/reveal.js`, pages: ["/index.html", "/demo.html", "/demo.html#/2/1"] },
  { name: "swagger-ui", generator: "Swagger UI", root: `${work}/swagger`, pages: ["/index.html", "/index.html#/pet/getPetById"] },
  { name: "docsify", generator: "docsify (script-built)", root: `${work}/docsify`, pages: ["/index.html", "/index.html#/replay", "/index.html#/keeping"] },
  { name: "spa", generator: "Vue Router, parts on another host", root: `${work}/spa`, fallback: "/index.html", pages: ["/", "/about", "/items/7"] },
];

/** Serves one site; `hits` counts who asked. */
export function serve(site, port, backends) {
  const server = createServer((question, answer) => {
    server.hits += 1;
    const path = decodeURIComponent(question.url.split(/[?#]/)[0]);
    if (site.backend) return passOn(question, answer, backends[site.backend]);
    const file = join(site.root, normalize(path));
    const found = [file, join(file, "index.html"), site.fallback && !extname(path) && join(site.root, site.fallback)]
      .find((name) => name && existsSync(name) && statSync(name).isFile());
    if (!found) return answer.writeHead(404, { "content-type": "text/plain" }).end("not there\n");
    answer.writeHead(200, { "content-type": types[extname(found)] ?? "application/octet-stream", "access-control-allow-origin": "*", ...site.headers });
    createReadStream(found).pipe(answer);
  });
  server.hits = 0;
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

function passOn(question, answer, port) {
  const headers = { ...question.headers };
  const on = ask({ port, host: "127.0.0.1", path: question.url, method: question.method, headers }, (got) => {
    answer.writeHead(got.statusCode, got.headers);
    got.pipe(answer);
  });
  on.on("error", () => answer.writeHead(502).end());
  question.pipe(on);
}
