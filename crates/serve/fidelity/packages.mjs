// Opens an exported WACZ package in ReplayWeb.page in Chromium. Usage: node packages.mjs WORK TINTYPE; see ./packages.
// Exits with 0 if the page is shown with its style, picture and script, and the next page by a click.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { promisify } from "node:util";
// What is looked at here is what servers sent, not what a browser makes of it.
process.env.TINTYPE_BROWSER = "none";

const [work, tintype] = process.argv.slice(2);
const { chromium } = createRequire(`${work}/`)("playwright-core");
const ran = promisify(execFile);
const collection = `${work}/package-collection`, wacz = `${work}/site.wacz`, page = `${work}/package`;

const listen = (server) => new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server.address().port)));
const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const site = {
  "/": ["text/html; charset=utf-8", "<!doctype html><title>Front</title><link rel=stylesheet href=style.css><h1>Front page</h1><img id=dot src=dot.png><p id=said>no script</p><a href=next.html>next</a><script src=script.js></script>"],
  "/next.html": ["text/html; charset=utf-8", "<!doctype html><title>Next</title><h1>Second page</h1>"],
  "/style.css": ["text/css", "h1{color:rgb(1,2,3)}"],
  "/script.js": ["text/javascript", "fetch('data.json').then(r => r.json()).then(d => { document.getElementById('said').textContent = d.said; });"],
  "/data.json": ["application/json", '{"said":"data of then"}'],
  "/dot.png": ["image/png", pixel],
};
const live = createServer((question, answer) => {
  const found = site[question.url.split("?")[0]];
  answer.writeHead(found ? 200 : 404, { "content-type": found?.[0] ?? "text/plain" }).end(found?.[1] ?? "not there");
});
const livePort = await listen(live);
const seed = `http://127.0.0.1:${livePort}/`;
rmSync(collection, { recursive: true, force: true });
rmSync(wacz, { force: true });
// What a script asks for is asked for by name here.
await ran(tintype, ["capture", seed, `${seed}data.json`, "-C", collection, "--delay", "0", "--quiet", "--contact", "https://packages.example/"]);
await ran(tintype, ["export", "-C", collection, "--out", wacz, "--sign"]);
live.close();
live.closeAllConnections();

// Only what ReplayWeb.page is made of, and the package, with Range.
const shell = (query) => `<!doctype html><title>shell</title><script src=/ui.js></script><replay-web-page style="width:1200px;height:700px;display:block" embed=replay-with-info deepLink replayBase=/replay/ source=/site.wacz url="${seed}${query}"></replay-web-page>`;
const host = createServer((question, answer) => {
  const path = question.url.split("?")[0];
  const file = { "/ui.js": `${page}/ui.js`, "/replay/ui.js": `${page}/ui.js`, "/replay/sw.js": `${page}/sw.js`, "/site.wacz": wacz }[path];
  if (!file) return answer.writeHead(200, { "content-type": "text/html" }).end(shell(""));
  const bytes = readFileSync(file), range = /bytes=(\d*)-(\d*)/.exec(question.headers.range ?? "");
  const head = { "content-type": file.endsWith(".js") ? "text/javascript" : "application/wacz", "accept-ranges": "bytes", "access-control-allow-origin": "*", "service-worker-allowed": "/" };
  if (!range) return answer.writeHead(200, { ...head, "content-length": bytes.length }).end(bytes);
  const from = range[1] ? Number(range[1]) : Math.max(0, bytes.length - Number(range[2])), to = range[1] && range[2] ? Math.min(Number(range[2]), bytes.length - 1) : bytes.length - 1;
  answer.writeHead(206, { ...head, "content-range": `bytes ${from}-${to}/${bytes.length}`, "content-length": to - from + 1 }).end(bytes.subarray(from, to + 1));
});
const port = await listen(host);
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"] });
const failures = [];
try {
  const tab = await browser.newPage();
  await tab.goto(`http://localhost:${port}/`);
  const shown = async (text) => {
    for (let tries = 0; tries < 300; tries += 1) {
      for (const frame of tab.frames()) {
        const said = await frame.evaluate(() => document.body?.innerText ?? "").catch(() => "");
        if (said.includes(text)) return frame;
      }
      await tab.waitForTimeout(100);
    }
    failures.push(`"${text}" is not shown`);
  };
  const front = await shown("Front page");
  if (front) {
    await shown("data of then");
    const look = await front.evaluate(() => ({ color: getComputedStyle(document.querySelector("h1")).color, picture: document.getElementById("dot").naturalWidth }));
    if (look.color !== "rgb(1, 2, 3)") failures.push(`the style is missing: ${look.color}`);
    if (look.picture !== 1) failures.push("the picture is missing");
    await front.click("a");
    await shown("Second page");
  }
} catch (error) {
  failures.push(`${error}`);
} finally {
  await browser.close();
  host.close();
  host.closeAllConnections();
}
console.log(JSON.stringify({ package_bytes: statSync(wacz).size, failures }));
process.exit(failures.length ? 1 : 0);
