// What Chromium asks for by itself, what `tintype capture` archives with a browser and without, and what replay shows.
// Usage: node compare.mjs WORK TINTYPE; see ./run. Writes WORK/table.md and WORK/result.json.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { sites as known, serve } from "./sites.mjs";

process.env.PW_EXPERIMENTAL_SERVICE_WORKER_NETWORK_EVENTS = "1";
const [work, tintype] = process.argv.slice(2);
const require = createRequire(`${work}/`);
const { chromium } = require("playwright-core");
const { PNG } = require("pngjs");
const first = Number(process.env.PORT ?? 27100), replayPort = first - 20;
const only = process.env.ONLY?.split(",");
const sites = known(work, `${import.meta.dirname}/apps`).filter((site) => !only || only.includes(site.name));

function ran(command, args) {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "", complained = "";
  child.stdout.on("data", (piece) => { said += piece; });
  child.stderr.on("data", (piece) => { complained += piece; });
  return new Promise((done) => child.on("close", (status) => done({ status, said, complained })));
}
/** As a person sees a page: opened, scrolled to its end, back to the top. */
async function visit(browser, url, hide) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 960 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  const began = Date.now();
  await page.goto(url, { waitUntil: "load", timeout: 60000 });
  await page.waitForLoadState("networkidle", { timeout: 8000 }).catch(() => {});
  const loaded = Date.now() - began;
  for (let step = 0; step < 60; step += 1) {
    const moved = await page.evaluate(() => { const thing = document.scrollingElement; const before = thing.scrollTop; thing.scrollTo({ top: before + innerHeight * 0.9, behavior: "instant" }); return thing.scrollTop > before + 1; });
    await page.waitForTimeout(200);
    await page.waitForLoadState("networkidle", { timeout: 4000 }).catch(() => {});
    if (!moved) break;
  }
  await page.evaluate(() => { for (const film of document.querySelectorAll("video")) film.play().catch(() => {}); });
  await page.waitForTimeout(1500);
  await page.evaluate(() => { scrollTo({ top: 0, behavior: "instant" }); for (const film of document.querySelectorAll("video")) film.pause(); });
  await page.waitForTimeout(500);
  if (hide) await page.addStyleTag({ content: `${hide}{display:none!important}` }).catch(() => {});
  await page.addStyleTag({ content: "video{visibility:hidden!important} *{caret-color:transparent!important}" }).catch(() => {});
  const picture = await page.screenshot({ animations: "disabled" });
  await context.close();
  return { picture, loaded, took: Date.now() - began };
}
function difference(one, other) {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  if (a.width !== b.width || a.height !== b.height) return 100;
  let differing = 0;
  for (let at = 0; at < a.data.length; at += 4) if (a.data[at] !== b.data[at] || a.data[at + 1] !== b.data[at + 1] || a.data[at + 2] !== b.data[at + 2]) differing += 1;
  return (100 * differing) / (a.width * a.height);
}
/** Paths and queries in a collection's index that were answered with 200. */
function archived(collection, origin) {
  const lines = readdirSync(`${collection}/index`).flatMap((name) => {
    if (name.endsWith(".cdxj")) return readFileSync(`${collection}/index/${name}`, "utf8").split("\n");
    return name.endsWith(".cdx.gz") ? gunzipSync(readFileSync(`${collection}/index/${name}`)).toString().split("\n") : [];
  });
  const entries = lines.filter((line) => line.includes("{")).map((line) => JSON.parse(line.slice(line.indexOf("{"))));
  return new Set(entries.filter((entry) => entry.status === "200" && entry.url.startsWith(origin)).map((entry) => entry.url.slice(origin.length)));
}
async function captured(site, origin, way) {
  const collection = `${work}/collections/${site.name}-${way}`;
  rmSync(collection, { recursive: true, force: true });
  const began = Date.now();
  const ended = await ran(tintype, ["capture", origin + site.page, "-C", collection, "--scope", "page", "--delay", "0", "--render", way, "--contact", "https://rendering.example/", "--json"]);
  if (!ended.said.startsWith("{")) throw new Error(`${site.name}: ${ended.complained}`);
  const said = JSON.parse(ended.said).sites[0];
  return { collection, said, seconds: (Date.now() - began) / 1000, found: archived(collection, origin) };
}
const same = (path) => decodeURI(path);

mkdirSync(`${work}/shots`, { recursive: true });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--force-color-profile=srgb", "--autoplay-policy=no-user-gesture-required", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost"] });
const rows = [];
for (const [nth, site] of sites.entries()) {
  const origin = `http://127.0.0.1:${first + nth}`;
  const server = await serve(site, first + nth);
  const live = await visit(browser, origin + site.page);
  const truth = [...server.asked];
  const again = await visit(browser, origin + site.page);
  const always = await captured(site, origin, "always");
  const never = await captured(site, origin, "never");
  const has = (of) => { const found = new Set([...of.found].map(same)); return truth.filter((path) => found.has(same(path))); };
  const missing = truth.filter((path) => !has(always).includes(path));
  const replay = spawn(tintype, ["serve", "-C", always.collection, "--bind", `127.0.0.1:${replayPort}`], { stdio: "ignore" });
  const ended = new Promise((done) => replay.on("close", done));
  for (let tries = 0; tries < 200; tries += 1) { try { await fetch(`http://127.0.0.1:${replayPort}/healthz`); break; } catch { await new Promise((done) => setTimeout(done, 100)); } }
  server.hits = 0;
  const past = await visit(browser, `http://localhost:${replayPort}/web/2999/${origin}${site.page}`, 'iframe[src^="/__tt/banner"]').catch((error) => ({ picture: null, error }));
  const reached = server.hits;
  replay.kill();
  await ended;
  const row = {
    site: site.name, tool: site.tool, asked: truth.length, never: has(never).length, always: has(always).length, missing,
    noise: difference(live.picture, again.picture), replay: past.picture ? difference(live.picture, past.picture) : 100, reached,
    own_seconds: live.took / 1000, browser_seconds: (always.said.rendered?.took ?? 0) / 1000, seconds: always.seconds, failed: always.said.rendered?.failed ?? 0,
  };
  rows.push(row);
  console.log(`${row.site}: ${row.asked} asked for, ${row.never} without a browser, ${row.always} with one; replay differs by ${row.replay.toFixed(2)} % (noise ${row.noise.toFixed(2)}), reached ${reached}; ${row.browser_seconds.toFixed(1)} s of browser, a person's ${row.own_seconds.toFixed(1)} s${past.error ? `; ${past.error}` : ""}${missing.length ? `; missing ${missing.slice(0, 5).join(" ")}` : ""}`);
  if (past.picture && row.replay > 0) { writeFileSync(`${work}/shots/${site.name}.live.png`, live.picture); writeFileSync(`${work}/shots/${site.name}.replay.png`, past.picture); }
  server.closeAllConnections();
  server.close();
}
await browser.close();
const sum = (key) => rows.reduce((all, row) => all + row[key], 0);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const lines = rows.map((row) => `| ${row.tool} | ${row.asked} | ${row.never} | ${row.always} | ${row.replay.toFixed(2)} | ${row.browser_seconds.toFixed(1)} | ${row.own_seconds.toFixed(1)} |`);
const table = ["| built by | asked for | `never` | `always` | replay differs, % | browser, s | a person, s |", "|---|---|---|---|---|---|---|", ...lines,
  `| all | ${sum("asked")} | ${sum("never")} | ${sum("always")} | median ${median(rows.map((row) => row.replay)).toFixed(2)} | ${sum("browser_seconds").toFixed(1)} | ${sum("own_seconds").toFixed(1)} |`].join("\n");
writeFileSync(`${work}/table.md`, `${table}\n`);
writeFileSync(`${work}/result.json`, JSON.stringify(rows, null, 1));
console.log(`\n${table}`);
process.exit(rows.every((row) => row.missing.length === 0 && row.reached === 0) ? 0 : 1);
