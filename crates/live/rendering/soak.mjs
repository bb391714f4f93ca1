// Many pages that scripts build, captured while browsers are killed at random: is any page lost, does any process stay, does
// memory grow; and how fast it is beside a loop over the same pages that does nothing but drive a browser.
// Usage: node soak.mjs WORK TINTYPE [PAGES] [SECONDS BETWEEN KILLS, 0 FOR NONE]; after ./run. Writes WORK/soak.json.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const [work, tintype, pages = "1000", every = "7"] = process.argv.slice(2);
const count = Number(pages), port = Number(process.env.PORT ?? 27100) + 50;
const { chromium } = createRequire(`${work}/`)("playwright-core");
const collection = `${work}/soak`, mark = `${work}/soak-tmp`;
rmSync(collection, { recursive: true, force: true });
rmSync(mark, { recursive: true, force: true });
mkdirSync(mark, { recursive: true });

const asked = new Set();
const server = createServer((question, answer) => {
  const send = (type, body) => answer.writeHead(200, { "content-type": type }).end(body);
  const path = question.url;
  asked.add(path);
  if (path === "/") return send("text/html", Array.from({ length: count }, (_, n) => `<a href="/page/${n}">${n}</a>`).join(" "));
  if (path === "/app.js") return send("text/javascript", "const n = location.pathname.split('/').pop(); fetch('/data/' + n + '.json').then((r) => r.json()).then((told) => { document.body.innerHTML = told.words.map((word) => `<p>${word}</p>`).join('') + `<img src=\"/picture/${n % 40}.svg\">`; });");
  if (path.startsWith("/page/")) return send("text/html", `<!doctype html><title>${path}</title><body>Wait.<script src="/app.js"></script>`);
  if (path.startsWith("/data/")) return send("application/json", JSON.stringify({ words: Array.from({ length: 40 }, (_, n) => `${path} ${n}`) }));
  if (path.startsWith("/picture/")) return send("image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  return answer.writeHead(404).end();
});
await new Promise((done) => server.listen(port, "127.0.0.1", done));
const origin = `http://127.0.0.1:${port}`;

/** Processes whose command line has a word, and those without life among our capture's. */
function processes() {
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((number) => {
    try {
      const stat = readFileSync(`/proc/${number}/stat`, "utf8"), rest = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return [{ number: Number(number), line: readFileSync(`/proc/${number}/cmdline`, "utf8").split("\0"), dead: rest[0] === "Z", parent: Number(rest[1]), resident: Number(rest[21]) * 4096 }];
    } catch { return []; }
  });
}
const browsers = () => processes().filter(({ line }) => line[0].includes("chromium") && line.some((word) => word.includes(mark)) && !line.some((word) => word.startsWith("--type=")));

const began = Date.now();
const child = spawn(tintype, ["capture", `${origin}/`, "-C", collection, "--render", "always", "--delay", "0", "--connections", "4", "--contact", "https://rendering.example/", "--json"], { env: { ...process.env, TMPDIR: mark }, stdio: ["ignore", "pipe", "ignore"] });
let said = "";
child.stdout.on("data", (piece) => { said += piece; });
let kills = 0, zombies = 0;
const memory = [];
const killer = Number(every) > 0 && setInterval(() => {
  const running = browsers();
  const victim = running[Math.floor(Math.random() * running.length)];
  if (victim) { try { process.kill(victim.number, "SIGKILL"); kills += 1; } catch { /* gone by itself */ } }
}, Number(every) * 1000);
const watch = setInterval(() => {
  const all = processes();
  const own = all.find(({ number }) => number === child.pid);
  zombies = all.filter(({ dead, parent }) => dead && parent === child.pid).length;
  if (own) memory.push(own.resident);
}, 2000);
await new Promise((done) => child.on("close", done));
clearInterval(killer); clearInterval(watch);
const seconds = (Date.now() - began) / 1000;
await new Promise((done) => setTimeout(done, 3000));
const left = browsers().length;
const site = JSON.parse(said).sites[0];
const missing = Array.from({ length: count }, (_, n) => n).filter((n) => !asked.has(`/page/${n}`) || !asked.has(`/data/${n}.json`));

// The same pages, by somebody who only drives a browser: two at a time, as we do.
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const sample = Math.min(count, 200);
let next = 0;
const bareBegan = Date.now();
await Promise.all([0, 1].map(async () => {
  while (next < sample) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 960 } });
    const page = await context.newPage();
    await page.goto(`${origin}/page/${next++}`, { waitUntil: "load" });
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => document.scrollingElement.scrollTo(0, 1e6));
    await page.content();
    await page.evaluate(() => document.body.innerText);
    await context.close();
  }
}));
const bare = (60 * sample) / ((Date.now() - bareBegan) / 1000);
await browser.close();
server.closeAllConnections(); server.close();
const ours = (60 * site.rendered.pages) / seconds;
const third = Math.floor(memory.length / 3) || 1, mean = (list) => list.reduce((sum, value) => sum + value, 0) / (list.length || 1) / 2 ** 20;
const result = { pages: count, captured: site.pages, built: site.rendered.pages, failed: site.rendered.failed, missing: missing.length, kills, zombies, left, seconds, per_minute: ours, bare_per_minute: bare, share: ours / bare, memory_first_third_mib: mean(memory.slice(0, third)), memory_last_third_mib: mean(memory.slice(-third)) };
writeFileSync(`${work}/soak.json`, JSON.stringify(result, null, 1));
console.log(JSON.stringify(result, null, 1));
process.exit(missing.length === 0 && left === 0 && zombies === 0 ? 0 : 1);
