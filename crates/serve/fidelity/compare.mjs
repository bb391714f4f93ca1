// Photographs pages live and in replay in one Chromium, pixel by pixel, beside pywb over the same WARC files.
// Usage: node compare.mjs WORK TINTYPE PYWB-VENV; see ./run. Writes WORK/table.md, WORK/result.json and the pictures that differ.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { sites as known, serve } from "./sites.mjs";
// What is looked at here is what servers sent, not what a browser makes of it.
process.env.TINTYPE_BROWSER = "none";

const [work, tintype, venv] = process.argv.slice(2);
const only = process.env.ONLY?.split(",");
const require = createRequire(`${work}/`);
const { chromium } = require("playwright-core");
const { PNG } = require("pngjs");
const collection = `${work}/collection`, shots = `${work}/shots`;
const [FIRST, OURS, PYWB, PROXY] = [21100, 21080, 21090, 21070];
const backends = { "/wiki": 21061, "/git": 21062 };
const started = [];
const sites = known(work).filter((site) => !only || only.includes(site.name));

function start(command, args, options) {
  const child = spawn(command, args, { stdio: "ignore", ...options });
  started.push(child);
  return child;
}
/** Runs a program to its end; the servers of this process go on answering meanwhile. */
function ran(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => { said += piece; });
  return new Promise((done) => child.on("close", (status) => done({ status, said })));
}
async function answers(url) {
  for (let tries = 0; tries < 300; tries += 1) {
    try { await fetch(url); return; } catch { await new Promise((done) => setTimeout(done, 100)); }
  }
  throw new Error(`${url} does not answer`);
}

/** Loads a page in a context of its own, waits until it is still, and takes its picture and text. */
async function photograph(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ignoreHTTPSErrors: true, ...options.context });
  const page = await context.newPage();
  const asked = [];
  context.on("request", (request) => asked.push(request.url()));
  try {
    await page.goto(url, { waitUntil: "load", timeout: 30000 });
    await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});
    await page.evaluate(() => document.fonts.ready.then(() => 0)).catch(() => {});
    await page.waitForTimeout(700);
    await page.addStyleTag({ content: `${options.hide ?? "x-none"}{display:none!important} *{caret-color:transparent!important}` }).catch(() => {});
    const picture = await page.screenshot({ animations: "disabled", timeout: 15000 });
    const text = await page.evaluate(() => document.body?.innerText ?? "").catch(() => "");
    return { picture, text, asked };
  } catch (error) {
    return { picture: null, text: `${error}`, asked };
  } finally {
    await context.close();
  }
}

/** Share of pixels that are not exactly the same, in percent. */
function difference(one, other) {
  if (!one || !other) return 100;
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  if (a.width !== b.width || a.height !== b.height) return 100;
  let differing = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    if (a.data[at] !== b.data[at] || a.data[at + 1] !== b.data[at + 1] || a.data[at + 2] !== b.data[at + 2]) differing += 1;
  }
  return (100 * differing) / (a.width * a.height);
}
const words = (text) => text.split(/\s+/).filter(Boolean).join(" ");
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const isLocal = (url) => { const { protocol, hostname } = new URL(url); return !/^https?:$|^wss?:$/.test(protocol) || hostname === "127.0.0.1" || hostname === "localhost" || hostname.endsWith(".localhost"); };

async function main() {
  rmSync(collection, { recursive: true, force: true });
  rmSync(shots, { recursive: true, force: true });
  mkdirSync(shots, { recursive: true });
  start("php", ["-S", `127.0.0.1:${backends["/wiki"]}`, "-t", `${work}/dokuwiki`]);
  start("python3", [`${work}/gitweb/serve.py`, `${backends["/git"]}`], { cwd: `${work}/gitweb` });
  const servers = [];
  for (const site of sites) {
    site.port = FIRST + known(work).findIndex((one) => one.name === site.name);
    servers.push(await serve(site, site.port, backends));
  }
  // What the single page application loads from another host.
  servers.push(await serve({ root: `${work}/spa-other` }, FIRST + 90, {}));
  for (const port of Object.values(backends)) await answers(`http://127.0.0.1:${port}/`);

  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost", "--disable-lcd-text"] });
  const pages = sites.flatMap((site) => site.pages.map((path) => ({ site, path, url: `http://127.0.0.1:${site.port}${path}` })));
  const urls = new Set();
  for (const page of pages) {
    page.live = await photograph(browser, page.url);
    page.again = await photograph(browser, page.url);
    for (const url of page.live.asked.filter((url) => url.startsWith("http"))) urls.add(url.split("#")[0]);
  }
  const abroad = [...urls].filter((url) => !isLocal(url));
  const list = [...urls].filter(isLocal);
  writeFileSync(`${work}/urls.txt`, list.join("\n") + "\n");
  const captured = await ran(tintype, ["capture", "-C", collection, "--urls", `${work}/urls.txt`, "--depth", "0", "--delay", "0", "--contact", "https://fidelity.example/", "--ignore-robots", "127.0.0.1", "--json"]);
  writeFileSync(`${work}/captured.json`, captured.said);
  if (captured.status !== 0) throw new Error(`the capture failed, see ${work}/captured.json`);

  start(tintype, ["serve", "-C", collection, "--bind", `127.0.0.1:${OURS}`, "--proxy-bind", `127.0.0.1:${PROXY}`, "--proxy-authority", `${work}/authority`]);
  mkdirSync(`${work}/pywb`, { recursive: true });
  writeFileSync(`${work}/pywb/config.yaml`, `collections:\n  web:\n    archive_paths: ${collection}/warc/\n    index_paths: ${collection}/index/\nframed_replay: false\n`);
  start(`${venv}/bin/wayback`, ["-p", `${PYWB}`, "-b", "127.0.0.1"], { cwd: `${work}/pywb` });
  await answers(`http://127.0.0.1:${OURS}/healthz`);
  await answers(`http://127.0.0.1:${PYWB}/`);
  servers.forEach((server) => { server.hits = 0; });
  const rows = [], leaks = [];
  const hits = () => servers.reduce((sum, server) => sum + server.hits, 0);
  const proxied = { proxy: { server: `http://127.0.0.1:${PROXY}`, bypass: "<-loopback>" } };
  for (const page of pages) {
    const ours = await photograph(browser, `http://localhost:${OURS}/web/2999/${page.url}`, { hide: 'iframe[src^="/__tt/banner"]' });
    const reached = hits();
    const proxy = await photograph(browser, page.url, { context: proxied });
    const pywb = await photograph(browser, `http://localhost:${PYWB}/web/2999/${page.url}`, { hide: "#_wb_frame_top_banner,#_wb_plain_banner" });
    servers.forEach((server) => { server.hits = 0; });
    const outside = ours.asked.filter((url) => url.startsWith("http") && !new URL(url).host.endsWith(`:${OURS}`));
    if (reached) leaks.push({ page: page.url, outside });
    const row = {
      site: page.site.name, generator: page.site.generator, page: page.path,
      noise: difference(page.live.picture, page.again.picture),
      ours: difference(page.live.picture, ours.picture), proxy: difference(page.live.picture, proxy.picture), pywb: difference(page.live.picture, pywb.picture),
      text: words(page.live.text) === words(ours.text), proxy_text: words(page.live.text) === words(proxy.text), pywb_text: words(page.live.text) === words(pywb.text), reached, outside,
    };
    rows.push(row);
    console.log(`${row.site} ${row.page}: live again ${row.noise.toFixed(2)}, ours ${row.ours.toFixed(2)}${row.text ? "" : " (text differs)"}, proxy ${row.proxy.toFixed(2)}${row.proxy_text ? "" : " (text differs)"}, pywb ${row.pywb.toFixed(2)}${row.pywb_text ? "" : " (text differs)"}${reached ? ` REACHED ${reached}` : ""}`);
    if (row.ours > 0 || row.proxy > 0 || !row.text) {
      const name = `${row.site}-${page.path.replace(/[^a-z0-9]+/gi, "_")}`;
      for (const [kind, shot] of Object.entries({ live: page.live, ours, proxy, pywb })) if (shot.picture) writeFileSync(`${shots}/${name}.${kind}.png`, shot.picture);
      if (!row.text) { writeFileSync(`${shots}/${name}.live.txt`, page.live.text); writeFileSync(`${shots}/${name}.ours.txt`, ours.text); }
    }
  }
  await browser.close();
  const share = (value) => value.toFixed(2);
  const bySite = sites.map((site) => {
    const own = rows.filter((row) => row.site === site.name);
    const [worst, count] = [(key) => Math.max(...own.map((row) => row[key])), (key) => own.filter((row) => row[key]).length];
    return `| ${site.name} | ${site.generator} | ${own.length} | ${share(worst("noise"))} | ${share(worst("ours"))} | ${count("text")} | ${share(worst("proxy"))} | ${share(worst("pywb"))} | ${count("pywb_text")} |`;
  });
  const summary = {
    pages: rows.length, generators: new Set(rows.map((row) => row.generator)).size,
    median: { ours: median(rows.map((row) => row.ours)), proxy: median(rows.map((row) => row.proxy)), pywb: median(rows.map((row) => row.pywb)) },
    identical: { ours: rows.filter((row) => row.ours === 0).length, proxy: rows.filter((row) => row.proxy === 0).length, pywb: rows.filter((row) => row.pywb === 0).length },
    worse_than_pywb: rows.filter((row) => row.ours > Math.max(row.pywb, row.noise)).map((row) => `${row.site} ${row.page}`),
    leaks, live_pages_wanted_from_abroad: abroad,
  };
  writeFileSync(`${work}/result.json`, JSON.stringify({ summary, rows }, null, 1));
  writeFileSync(`${work}/table.md`, ["| site | made by | pages | live twice | ours | same text | by proxy | pywb | same text |", "|---|---|---:|---:|---:|---:|---:|---:|---:|", ...bySite].join("\n") + "\n");
  console.log(readFileSync(`${work}/table.md`, "utf8"), JSON.stringify(summary, null, 1));
  return summary.median.ours < 0.5 && !summary.worse_than_pywb.length && !leaks.length ? 0 : 1;
}
const code = await main().catch((error) => { console.error(error); return 2; });
started.forEach((child) => child.kill());
process.exit(code);
