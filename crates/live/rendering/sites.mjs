// Sites that scripts build, served on loopback as their tools made them; what is asked for is noted.
import { createServer } from "node:http";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, normalize } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".json": "application/json",
  ".svg": "image/svg+xml", ".png": "image/png", ".woff2": "font/woff2", ".md": "text/markdown; charset=utf-8", ".webmanifest": "application/manifest+json",
  ".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t",
};
const svg = (text) => ["image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="#dde"/><text x="20" y="128">${text}</text></svg>`];
const json = (value) => ["application/json", JSON.stringify(value)];

/** Every site: what built it, where its files are, what is made up when asked for, and the page that is looked at. */
export const sites = (work, apps) => [
  { name: "swagger-ui", tool: "Swagger UI", root: `${work}/sites/swagger`, page: "/index.html" },
  { name: "reveal", tool: "reveal.js", root: `${work}/node_modules/reveal.js`, page: "/demo.html" },
  { name: "docsify", tool: "docsify", root: `${work}/sites/docsify`, page: "/" },
  { name: "mkdocs", tool: "MkDocs Material, search", root: `${work}/sites/mkdocs/site`, page: "/" },
  { name: "react", tool: "React, Vite", root: `${work}/apps/react/dist`, fallback: "/index.html", page: "/" },
  { name: "vue", tool: "Vue, Vite", root: `${work}/apps/vue/dist`, fallback: "/index.html", page: "/" },
  { name: "svelte", tool: "Svelte, Vite", root: `${work}/apps/svelte/dist`, page: "/" },
  { name: "pwa", tool: "Vite PWA, Workbox", root: `${work}/apps/pwa/dist`, page: "/" },
  { name: "map", tool: "Leaflet", root: `${work}/node_modules`, page: "/map.html",
    made: (path) => path === "/map.html" ? ["text/html", readFileSync(`${apps}/map.html`)] : path.startsWith("/tiles/") ? svg(path) : null,
    alias: [["/leaflet/", "/leaflet/dist/"]] },
  { name: "charts", tool: "Chart.js", root: `${work}/node_modules`, page: "/charts.html",
    made: (path) => path === "/charts.html" ? ["text/html", readFileSync(`${apps}/charts.html`)] : path.startsWith("/series/") ? json([3, 1, 4, 1, 5, 9, 2, 6].map((n) => n * path.length)) : null,
    alias: [["/chart.js/", "/chart.js/dist/"], ["/@kurkle/color", "/@kurkle/color"]], bare: { "@kurkle/color": "/@kurkle/color/dist/color.esm.js" } },
  { name: "endless", tool: "endless scroll", root: apps, page: "/endless.html",
    made: (path, query) => path === "/feed" ? json([1, 2, 3].map((n) => `item ${query.get("page")}.${n}`)) : path.startsWith("/picture/") ? svg(path) : null },
  { name: "hls", tool: "hls.js", root: `${work}/sites/hls`, page: "/index.html" },
];

/** Serves one site; `asked` has what was answered with 200, path and query. */
export function serve(site, port) {
  const server = createServer((question, answer) => {
    const url = new URL(question.url, "http://x");
    const path = decodeURIComponent(url.pathname);
    const note = () => { if (question.method === "GET") server.asked.add(question.url); };
    server.hits += 1;
    const made = site.made?.(path, url.searchParams);
    if (made) { note(); return answer.writeHead(200, { "content-type": made[0] }).end(made[1]); }
    const aliased = (site.alias ?? []).reduce((now, [from, to]) => (path.startsWith(from) ? path.replace(from, to) : now), path);
    const file = join(site.root, normalize(aliased));
    const found = [file, join(file, "index.html"), site.fallback && !extname(path) && join(site.root, site.fallback)]
      .find((name) => name && existsSync(name) && statSync(name).isFile());
    if (!found) return answer.writeHead(404, { "content-type": "text/plain" }).end("not there\n");
    note();
    const type = types[extname(found)] ?? "application/octet-stream";
    if (site.bare && type === "text/javascript") {
      const text = Object.entries(site.bare).reduce((now, [from, to]) => now.replaceAll(`'${from}'`, `'${to}'`), readFileSync(found, "utf8"));
      return answer.writeHead(200, { "content-type": type }).end(text);
    }
    answer.writeHead(200, { "content-type": type, "content-length": statSync(found).size });
    createReadStream(found).pipe(answer);
  });
  Object.assign(server, { hits: 0, asked: new Set() });
  return new Promise((done) => server.listen(port, "127.0.0.1", () => done(server)));
}
