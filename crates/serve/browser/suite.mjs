// Drives the interface as people and attackers do. Usage: node suite.mjs WORK ROOT; see ./run.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import { site } from "./site.mjs";
// What is looked at here is what servers sent, not what a browser makes of it.
process.env.TINTYPE_BROWSER = "none";

const [work, root] = process.argv.slice(2);
const { chromium } = createRequire(`${work}/`)("playwright-core");
const axe = readFileSync(`${work}/node_modules/axe-core/axe.min.js`, "utf8");
const tintype = process.env.TINTYPE;
const pictures = process.env.PICTURES ? `${root}/docs/pictures` : null;
const env = { ...process.env, HOME: `${work}/home`, XDG_DATA_HOME: `${work}/home/data`, NO_COLOR: "1" };
const [demo, small] = [`${work}/demo`, `${work}/small`];
let passed = 0;
const failures = [];
const check = (is, what) => { if (is) passed += 1; else { failures.push(what); console.log(`FAILED: ${what}`); } };

function ran(...args) {
  const child = spawn(tintype, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => { said += piece; });
  return new Promise((done, fail) => child.on("close", (status) => (status === 0 ? done(said) : fail(new Error(`${args.join(" ")}: ${said}`)))));
}

/** Starts a server and says where it answers. */
function serve(...args) {
  const child = spawn(tintype, ["serve", "--bind", "127.0.0.1:0", ...args], { env, cwd: work, stdio: ["ignore", "pipe", "pipe"] });
  const served = { child, said: "", complaints: "" };
  child.stderr.on("data", (piece) => { served.complaints += piece; process.stderr.write(piece); });
  return new Promise((done, fail) => {
    let said = "";
    child.stdout.on("data", (piece) => {
      said += piece;
      served.said = said;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said);
      if (address && said.includes("sign-in")) done(Object.assign(served, { origin: address[0] }));
    });
    child.on("close", () => fail(new Error(`the server ended: ${said}`)));
  });
}

/** The collections: a week of a newspaper, and three rounds of a small site that means harm. */
async function prepare() {
  for (const old of [small, `${work}/home`]) rmSync(old, { recursive: true, force: true });
  mkdirSync(`${work}/home`, { recursive: true });
  // The newspaper takes half a minute and is the same every time.
  const newspaper = existsSync(`${demo}.done`) ? Promise.resolve() : ran("demo", "--out", demo, "--json").then(() => writeFileSync(`${demo}.done`, ""));
  const post = await site();
  for (let round = 0; round < 3; round += 1) {
    if (round) post.next();
    // Versions are named by the second.
    if (round) await new Promise((done) => setTimeout(done, 1100));
    await ran("capture", `${post.origin}/`, "-C", small, "--delay", "0", ...(round === 1 ? ["--revisit"] : []));
    await ran("keep", `${post.origin}/cars`, "--name", "cars", "--objects", "css:li.car", "--id", "@data-id", "--attribute", "make=.make", "--attribute", "year=.year", "--step", "1s", "--delay", "0", "--once", "-C", small);
  }
  await newspaper;
  post.close();
  return post;
}

/** Every page goes to target/browser/pictures, for a look at all of them; those of the docs to docs/pictures. */
const documented = { subscribe: "light-1600", home: "light-1600", "home-narrow": "light-380", changes: "light-1600", site: "light-1600", "site-dark": "dark-1600", page: "light-1600", capture: "light-1600", "diff-rendered": "light-1600", diff: "light-1600", listing: "light-1600", live: "light-1600", search: "light-1600", version: "light-1600", lab: "light-1600", reckoning: "light-1600" };
async function pictured(page, name, how) {
  if (!pictures) return;
  mkdirSync(`${work}/pictures`, { recursive: true });
  await page.screenshot({ path: `${work}/pictures/${name}-${how}.png`, fullPage: true, animations: "disabled" });
  for (const [file, wanted] of Object.entries(documented)) {
    if (file.replace(/-(dark|narrow)$/, "") === name && wanted === how) await page.screenshot({ path: `${pictures}/${file}.jpg`, type: "jpeg", quality: 55, animations: "disabled" });
  }
}

const post = await prepare();
const toml = `${small}/tintype.toml`;
writeFileSync(toml, `budget = "50/day"\nwatch = ["ticket"]\n${readFileSync(toml, "utf8")}`);
const server = await serve("-C", "demo", "-C", "small");
process.on("exit", () => server.child.kill("SIGTERM"));
const token = readFileSync(`${work}/home/data/tintype/token`, "utf8").trim();
check(server.said.includes(token), "the token is said once, when it is made");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const asked = [];
const is_ours = (url) => /^(data:|blob:|about:)/.test(url) || new URL(url).port === new URL(server.origin).port;

/** A context in which whatever goes wrong is written down. */
async function opened(name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1600, height: 1000 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(60_000);
  context.on("console", (message) => {
    const from = message.location().url ?? "";
    // What replayed pages complain of is theirs; what is refused on purpose is told by the browser as well.
    const is_theirs = /\.localhost:/.test(from) || /directive 'webrtc'/.test(message.text()) || (/\/do\//.test(from) && / 40[039] /.test(message.text())) || from.endsWith("/favicon.ico");
    if (message.type() === "error" && !/ 503 /.test(message.text()) && is_ours(from || server.origin) && !is_theirs) check(false, `${name}: console: ${message.text()} at ${from}`);
  });
  context.on("weberror", (error) => check(/\.localhost:/.test(error.page()?.url() ?? ""), `${name}: ${error.error()}`));
  context.on("request", (request) => asked.push(request.url()));
  context.on("request", (request) => { if (!is_ours(request.url())) check(false, `${name}: asks ${request.url()}`); });
  context.on("dialog", (dialog) => { check(false, `${name}: ${dialog.message()}`); dialog.dismiss(); });
  return context;
}
const address = (path) => `${server.origin}${path}`;
/** Opens a page; what is still being made is asked for until it is there. */
async function go(page, path) {
  for (let tries = 0; tries < 120; tries += 1) {
    // A page that opens by itself may do so just now.
    const answer = await page.goto(address(path), { waitUntil: "load" }).catch(() => null);
    if (answer && answer.status() !== 503 && !answer.headers().refresh) return answer;
    await page.waitForTimeout(300);
  }
  throw new Error(`${path} does not open`);
}

const person = await opened("reading");
const page = await person.newPage();
await go(page, "/");
const hrefs = async (start) => page.locator(`main a[href^="${start}"]`).evaluateAll((links) => links.map((link) => link.getAttribute("href")));
const sites = await hrefs("/site/");
const own = sites.find((href) => decodeURIComponent(href).includes(new URL(post.origin).host));
const news = sites.find((href) => href !== own);
check(sites.length >= 2, "the first page names all sites");
await go(page, news);
const busy = (await hrefs("/page?url=")).find((href) => !/sitemap|feed|robots/.test(href));
const capture = (await hrefs("/capture/"))[0];
const about = (path) => `/page?url=${encodeURIComponent(`${post.origin}${path}`)}`;
const diff = (path) => `/diff?url=${encodeURIComponent(`${post.origin}${path}`)}`;
const pages = {
  home: "/", changes: "/changes", "changes-small": `/changes?site=${new URL(post.origin).host}&min_importance=0`, site: news, "site-small": own, page: busy, "page-prices": about("/prices"), captures: "/captures", capture,
  diff: diff("/prices"), "diff-one": `${diff("/prices")}&view=one`, "diff-source": `${diff("/prices")}&view=source`, "diff-rendered": `${diff("/prices")}&view=rendered`, "diff-harm": diff("/harm/1"),
  listings: "/listings", listing: "/listing/cars", live: "/live", search: "/search?q=never+close", "search-empty": "/search", "search-absent": "/search?q=nobody+ever+wrote+this", "search-address": "/search?q=http%3A%2F%2F127.0.0.1",
  "search-proof": `/search?q=never+close&url=${encodeURIComponent(`${post.origin}/gone`)}`, version: `/version?url=${encodeURIComponent(`${post.origin}/gone`)}&at=2026&q=never+close`, print: `${capture}.print`, lab: "/lab", subscribe: "/subscribe?kind=changed&match=ticket", parts: `/parts?url=${encodeURIComponent(`${post.origin}/prices`)}`, calendar: `/web/*/${post.origin}/prices`, "sign-in": "/sign-in",
};

/** A plain word that a cell of a table breaks in two for want of room, if there is one. */
function brokenWord() {
  for (const cell of [...document.querySelectorAll("main :is(td, th)")].slice(0, 200)) {
    const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text = words.nextNode(); text; text = words.nextNode()) {
      for (const word of text.data.matchAll(/(?<!\S)\p{L}{2,9}(?!\S)/gu)) {
        const range = document.createRange();
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1) return word[0];
      }
    }
  }
  return null;
}

/** What holds for every page whoever looks at it. */
async function looked(page, name, path, how) {
  const answer = await go(page, path);
  check(answer.status() < 400, `${name} ${how}: status ${answer.status()}`);
  const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth);
  check(wide <= 0, `${name} ${how}: ${wide} px too wide`);
  const broken = await page.evaluate(brokenWord);
  check(broken === null, `${name} ${how}: the word ${broken} is broken in a table`);
  check((await page.evaluate(() => window.harmed)) === undefined, `${name} ${how}: a page of the archive ran here`);
}

for (const scheme of ["light", "dark"]) {
  for (const width of [380, 1600]) {
    const context = await opened(`${scheme} ${width}`, { colorScheme: scheme, viewport: { width, height: 900 } });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(pages)) {
      await looked(page, name, path, `${scheme} ${width}`);
      // Once light and wide, once dark and narrow. The sandboxed copies of the past are not ours to mend.
      const is_judged = (scheme === "light") === (width === 1600);
      if (is_judged) await page.evaluate(axe);
      const judge = () => axe.run({ exclude: [["iframe"]] }, { iframes: false, resultTypes: ["violations"] });
      const found = is_judged ? await page.evaluate(judge) : { violations: [] };
      for (const { id, impact, nodes } of found.violations) check(!["serious", "critical"].includes(impact), `${name} ${scheme} ${width}: axe ${id}: ${nodes[0].html.slice(0, 200)}`);
      passed += 1;
      await pictured(page, name, `${scheme}-${width}`);
    }
    await context.close();
  }
}

// Script off: the same words, in pages of a bearable size.
const plain = await opened("without script", { javaScriptEnabled: false });
const bare = await plain.newPage();
for (const [name, path] of Object.entries(pages)) {
  const answer = await go(bare, path);
  check((await answer.body()).length < 200_000, `${name}: ${(await answer.body()).length} bytes`);
  check((await bare.locator("main h1").count()) === 1, `${name}: has a heading without script`);
}
await go(bare, "/changes");
await bare.selectOption("select[name=min_importance]", "0");
await bare.click(".filters button[type=submit]");
check(bare.url().includes("min_importance=0"), "changes are filtered without script");
await plain.close();

// Changes: filters, keys, diff, feeds.
await go(page, pages["changes-small"]);
check((await page.locator("article.item").count()) > 5, "the small site has changes");
await page.keyboard.press("j");
await page.keyboard.press("j");
const second = page.locator("article.item").nth(1);
check(await second.evaluate((item) => item === document.activeElement), "j goes to the next change");
await page.keyboard.press("k");
check(await page.locator("article.item").first().evaluate((item) => item === document.activeElement), "k goes back");
await page.keyboard.press("o");
await page.waitForURL(/\/(diff|page)\?/);
await go(page, "/changes?watched=1&min_importance=0");
check(/ticket|five|seven/i.test(await page.locator("main").innerText()), "watched terms are found");
await go(page, "/changes?kind=disappeared");
check(/Promise/.test(await page.locator("main").innerText()), "what is gone is found by its kind");
for (const kind of ["atom", "rss", "json"]) {
  const feed = await (await person.request.get(address(`/feed.${kind}?kind=disappeared`))).text();
  check(feed.includes("Promise") && feed.includes(`${server.origin}/web/`), `/feed.${kind} tells the same`);
}

// Diffs: every view, the steps, the slider, the rendered frames.
for (const view of ["one", "source", "rendered", "side"]) {
  await go(page, diff("/prices"));
  await page.click(`#view-${view}`);
  await page.waitForURL(new RegExp(`view=${view}`));
}
check((await page.locator(".difference ins").allInnerTexts()).join(" ").includes("seven"), "the words that came are marked");
await page.click("a[rel=prev]");
check((await page.locator(".difference ins").allInnerTexts()).join(" ").includes("five"), "the step before is shown");
await page.keyboard.press("]");
await page.waitForFunction(() => document.querySelector(".difference")?.innerText.includes("seven"));
await page.keyboard.press("[");
await page.waitForFunction(() => !document.querySelector(".difference")?.innerText.includes("seven"));
await page.keyboard.press("/");
check(await page.locator("header input[type=search]").evaluate((input) => input === document.activeElement), "a slash leads to the search");
const slider = page.locator("input[type=range]");
await slider.evaluate((input) => { input.value = input.max; input.dispatchEvent(new Event("input")); input.dispatchEvent(new Event("change")); });
await page.waitForFunction(() => document.querySelector(".difference")?.innerText.includes("seven"));
check(true, "the slider leads to a version");
await go(page, `${diff("/harm/0")}&view=rendered`);
/** What the frames of the page say, once their scripts ran. */
async function framed() {
  for (let tries = 0; ; tries += 1) {
    const texts = await Promise.all(page.frames().slice(1).map((frame) => frame.evaluate(() => document.body.innerText).catch(() => "")));
    if (tries > 300 || (texts.length === 2 && texts.every((text) => text.includes("script ran")))) return texts;
    await page.waitForTimeout(100);
  }
}
const inside = await framed();
await go(page, `${diff("/prices")}&view=rendered`);
/** The words that are lit up in the frames. */
async function lit() {
  for (let tries = 0; ; tries += 1) {
    const words = await Promise.all(page.frames().slice(1).map((frame) => frame.evaluate(() => [...(CSS.highlights.get("tintype-words") ?? [])].map(String).join(" ")).catch(() => "")));
    if (tries > 300 || words.filter(Boolean).length === 2) return words;
    await page.waitForTimeout(100);
  }
}
const words = await lit();
check(/five/.test(words[0]) && /seven/.test(words[1]) && !/pool|Pool/.test(words.join()), `what differs is marked where browsers show it: ${words}`);
check((await page.frames()[1].evaluate(() => window.name)) === "", "the page of the past is not told how it differs");
await go(page, about("/prices"));
const past = page.locator("#shown");
check(/\.localhost:/.test(await past.getAttribute("src")), "the page shows its last version");
const last = await past.getAttribute("src");
await page.locator("input[type=range]").evaluate((input) => { input.value = 0; input.dispatchEvent(new Event("input")); input.dispatchEvent(new Event("change")); });
check((await past.getAttribute("src")) !== last && page.url().includes("/page?"), "the slider changes what is shown, in place");
await page.frameLocator("#shown").getByText("four").waitFor();
await go(page, `${diff("/prices")}&view=rendered`);
check(inside.length === 2 && inside.every((text) => text.includes("script ran")), `both versions are drawn: ${inside}`);
check((await page.evaluate(() => window.harmed)) === undefined && page.url().includes("/diff"), "a replayed page reaches nothing around it");

// Search: the words are marked, the versions with and without them are one click away, and absence is said with what it rests on.
await go(page, "/");
await page.fill("header input[name=q]", "never close");
await page.click("header .find button");
await page.waitForURL(/\/search\?q=never/);
await go(page, pages.search);
check((await page.locator("article mark").first().innerText()).toLowerCase() === "never close", "the words are marked");
check((await page.locator("article.hit").count()) === 1, "the one page that said so is found");
await page.click("article.hit summary");
await page.locator("article.hit details a").first().click();
await page.waitForURL(/\/version\?/);
check((await page.locator(".text mark").count()) === 1, "a version is shown with the words marked");
const copy = await page.locator("a.button").first().getAttribute("href");
check(/^\/web\/\d{14}\/.*#:~:text=never%20close$/.test(copy), `a browser finds the words in the copy as well: ${copy}`);
await go(page, pages.search);
await page.click("text=Prove it");
await page.waitForURL(/&url=/);
check((await page.innerText("main")).includes("no index was asked"), "a page is proved from its records");
await go(page, pages["search-absent"]);
check(/every one of them read whole|prove nothing/.test(await page.innerText("main")), "an absence is said with what it rests on");
const found = await (await person.request.get(address("/api/search?q=never+close"))).json();
check(found.collections.some((of) => of.pages.some((hit) => hit.url.endsWith("/gone") && hit.seen)), "the same for programs");

// Captures: the package, the JSON and the paper.
const packed = await person.request.get(address(`${capture}.wacz`), { timeout: 120_000 });
check(packed.status() === 200 && (await packed.body()).subarray(0, 2).toString() === "PK", "a capture is handed on as a package");
writeFileSync(`${work}/capture.wacz`, await packed.body());
check(/signed/i.test(await ran("verify", `${work}/capture.wacz`)), "whose signature holds");
await go(page, `${capture}.print`);
const digest = createHash("sha256").update(await (await person.request.get(address(`${capture}.json`))).body()).digest("hex");
check((await page.innerText("main")).includes(`sha256:${digest}`), "what is printed names the certificate that can be downloaded");
check((await page.pdf({ format: "A4" })).length > 10_000, "it can be saved as PDF");

// Listings: as of a time, by attribute, as CSV and JSON.
await go(page, "/listing/cars?where=year>2005");
check((await page.locator("h2").first().innerText()).startsWith("2 "), `objects are chosen: ${await page.locator("h2").first().innerText()}`);
const csv = await (await person.request.get(address("/listing/cars.csv"))).text();
check(csv.startsWith("object_id,since") && csv.trim().split("\n").length === 6, `objects as CSV: ${csv}`);
check((await (await person.request.get(address("/listing/cars.json?at=2001"))).json()).count === 0, "nothing was held before the first crawl");

// Signing in; forms that were not asked for.
const stranger = await person.request.post(address("/do/read"), { form: { item: "1", days: "7" }, headers: { Origin: server.origin } });
check(stranger.status() === 403, "nobody changes anything without a sign-in");
await go(page, "/sign-in?back=/changes");
await page.fill("input[name=token]", "wrong");
await page.click("main form button");
check((await page.innerText("body")).includes("not the token"), "a wrong token is refused");
await go(page, "/sign-in?back=/changes");
await page.fill("input[name=token]", token);
await page.click("main form button");
await page.waitForURL(/\/changes$/);
check(!page.url().includes(token), "the token is in no address");
const cookies = await person.cookies();
check(cookies.length === 1 && cookies[0].httpOnly && cookies[0].sameSite === "Strict", "the cookie is for this server alone");

// Being told: a rule is written down from what was chosen, shown without its secret, and taken back.
await go(page, "/changes?kind=changed&match=ticket");
await page.getByRole("link", { name: "webhook or mail" }).click();
await page.waitForURL(/subscribe/);
const rules = page.locator("main section", { hasText: "small" });
const form = rules.locator('form[action="/do/subscribe"]');
await form.locator("input[name=webhook]").fill("file:///etc/passwd");
await form.locator("button").click();
check(/nothing was changed/.test(await page.innerText("main")), "a webhook that is no web address is refused");
await go(page, "/subscribe?kind=changed&match=ticket");
await form.locator("input[name=webhook]").fill("http://127.0.0.1:9/hook");
await form.locator("input[name=sign]").fill("hush-hush");
await form.locator("input[name=name]").fill("desk");
await form.locator("button").click();
await page.waitForURL(/done=told/);
const told = await page.innerText("main");
check(/desk/.test(told) && /127\.0\.0\.1:9/.test(told) && /ticket/.test(told) && !(await page.content()).includes("hush-hush"), "who is told is shown, without the secret");
check(/\[\[notify\]\]\nname = "desk"/.test(readFileSync(toml, "utf8")), "the rule is in the file");
check(!/127\.0\.0\.1:9/.test(await (await fetch(address("/subscribe"))).text()), "who is not signed in sees nobody's address");
await rules.locator("textarea").fill("ticket\ntowels?");
await rules.getByRole("button", { name: "Save the terms" }).click();
await page.waitForURL(/done=watched/);
check(/watch = \["ticket", "towels\?"\]/.test(readFileSync(toml, "utf8")), "terms are watched for");
await page.getByRole("button", { name: "Take back desk" }).click();
await page.waitForURL(/done=gone/);
check(!/notify/.test(readFileSync(toml, "utf8")), "nobody is told any more");

await go(page, pages["changes-small"]);
const unread = await page.locator("article.unread").count();
await page.locator("form.mark-read button").first().click();
await page.waitForLoadState("load");
check((await page.locator("article.unread").count()) === unread - 1, "one change is marked as read");
await page.getByRole("button", { name: "Mark these as read" }).click();
await page.waitForLoadState("load");
check((await page.locator("article.unread").count()) === 0, "all that is shown is marked as read");
const attack = async (from) => {
  const other = await person.newPage();
  await other.goto(from);
  await other.evaluate((to) => { const form = document.createElement("form"); form.method = "post"; form.action = to; form.innerHTML = "<input name=collection value=1><input name=item value=1>"; document.body.append(form); form.submit(); }, address("/do/read"));
  await other.waitForTimeout(700);
  const text = await other.innerText("body").catch(() => "");
  await other.close();
  return text;
};
const memento = (await page.locator('a[href^="/web/"]').first().getAttribute("href")) ?? "";
check(!/Mark/.test(await attack(address(memento))), "a replayed page cannot send forms here");
// A page of the past in the browser of somebody who is signed in: it reads nothing of the interface, by script or in a frame.
const trapped = await person.newPage();
await trapped.goto(address(`/web/2026/${post.origin}/harm/0`));
await trapped.waitForURL(/\.localhost:/);
for (const to of ["/", "/changes", "/api/captures", "/lab", "/live", "/subscribe"]) {
  const read = await trapped.evaluate(async (to) => { try { return await (await fetch(to, { credentials: "include" })).text(); } catch { return ""; } }, address(to));
  check(!/class="brand"|"captures":\s*\[/.test(read), `a replayed page reads ${to}: ${read.slice(0, 200)}`);
  const framed = await trapped.evaluate(async (to) => {
    const frame = document.createElement("iframe");
    const loaded = new Promise((done) => { frame.onload = done; setTimeout(done, 3000); });
    frame.src = to;
    document.body.append(frame);
    await loaded;
    try { return frame.contentDocument.body.innerText; } catch { return ""; }
  }, address(to));
  check(!/What is kept|Captures/.test(framed), `a replayed page frames ${to}`);
}
check(!trapped.frames().slice(1).some((frame) => frame.url().startsWith(server.origin)), "no page of the interface opens in a frame of the past");
await trapped.close();
const forged = await person.request.post(address("/do/read"), { form: { item: "1" }, headers: { Origin: "http://evil.localhost" } });
check(forged.status() === 403, "a form from elsewhere is refused although its sender is signed in");
const secretless = await person.request.post(address("/do/settings"), { form: { collection: "1", site: "x" }, headers: { Origin: server.origin } });
check(secretless.status() === 403, "a form without its secret is refused");

await go(page, own);
await page.fill("input[name=weight]", "2.5");
await page.fill("input[name=hours]", "25:00");
await page.getByRole("button", { name: "Save" }).click();
check((await page.innerText("body")).includes("nothing was changed"), "what cannot be followed is not written down");
await go(page, own);
await page.fill("input[name=ceiling]", "1/day");
await page.fill("input[name=capture-every]", "30d");
await page.getByRole("button", { name: "What will it cost?" }).click();
check(/requests? a day instead of/.test(await page.innerText("main")) && /requests each time/.test(await page.innerText("main")), "it is said what settings will cost");
await pictured(page, "reckoning", "light-1600");
check(!/ceiling/.test(readFileSync(toml, "utf8")), "nothing is saved by asking");
await page.getByRole("button", { name: "Save" }).click();
await page.waitForURL(/saved/);
check(/ceiling = "1\/day"/.test(readFileSync(toml, "utf8")), "what was reckoned is saved by one more click");
await go(page, own);
await page.fill("input[name=ceiling]", "");
await page.fill("input[name=capture-every]", "");
await page.fill("input[name=weight]", "2.5");
await page.getByRole("button", { name: "Save" }).click();
await page.waitForURL(/saved/);
check(/weight = 2\.5/.test(readFileSync(toml, "utf8")), "settings are written into tintype.toml");

// Home: what was read is no news any more.
await go(page, "/?reader=desk");
const fresh = () => page.locator("section .item h3").allInnerTexts();
const before = await fresh();
check(before.length > 0, "home tells what changed most");
await page.getByRole("button", { name: "Mark these as read" }).click();
await page.waitForLoadState("load");
await go(page, "/?reader=desk");
check((await page.innerText("main")).includes("since you read last") && (await fresh()).join() !== before.join(), "what was read on home is no news any more");

// Lab: a tournament is played, told of as it goes, cancelled, and shown.
await go(page, `/lab?site=${encodeURIComponent(news.replace("/site/", ""))}`);
await page.fill("input[name=budget]", "nonsense");
await page.getByRole("button", { name: "Play", exact: true }).click();
check((await page.innerText("body")).includes("are a number"), "a budget that is none is refused");
for (const end of ["cancel", "wait"]) {
  await go(page, "/lab");
  await page.locator("select[name=site]").selectOption({ label: decodeURIComponent(news.replace("/site/", "")) });
  if (end === "wait") await page.uncheck("input[name=pictures]");
  if (end === "wait") await page.fill("input[name=budget]", "60");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/\/lab$/);
  check((await page.locator("#lab-playing progress, main table").count()) > 0, "it is told how far the tournament is");
  if (end === "cancel") {
    await page.waitForFunction(() => /now/.test(document.getElementById("lab-now")?.innerText ?? "now"), null, { timeout: 120_000 });
    await pictured(page, "lab-playing", "light-1600");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.waitForLoadState("load");
    check((await page.innerText("main")).includes("cancelled"), "a tournament can be cancelled");
  }
}
await page.waitForSelector("main table", { timeout: 300_000 });
const players = await page.locator("main tbody tr td:first-child").allInnerTexts();
check(["tintype", "uniform"].every((name) => players.includes(name)), `everybody who was invited played: ${players}`);
check((await (await person.request.get(address("/lab/results.json"))).json()).results.length === players.length, "the results are there for programs");
if (pictures) {
  await page.locator("select[name=site]").selectOption({ label: decodeURIComponent(news.replace("/site/", "")) });
  await page.fill("input[name=budget]", "400");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForSelector("main figure img", { timeout: 600_000 });
  await pictured(page, "lab", "light-1600");
  await page.emulateMedia({ colorScheme: "dark" });
  await pictured(page, "lab", "dark-1600");
  await page.emulateMedia({ colorScheme: "light" });
}

// Live: start, see it run, stop.
const post_again = await site();
await go(page, "/live");
const button = () => page.locator("main form", { hasText: "small" }).locator("button");
await button().click();
await page.waitForURL(/\/live/);
await page.waitForFunction(() => /keep/.test(document.getElementById("live-state").innerText)).catch(() => {});
await go(page, "/live");
const state = await page.innerText("main");
check(/keep/.test(state), `keeping was started: ${state.slice(0, 300)}`);
if (/Stop/.test(await button().innerText())) {
  await button().click();
  await page.waitForFunction(() => document.getElementById("live-state").innerText.includes("Nothing"), null).catch(() => {});
  check((await page.innerText("#live-state")).includes("Nothing"), "keeping was stopped, and the page was told as it happened");
}
post_again.close();
await page.getByRole("button", { name: "Sign out" }).click();
await page.waitForLoadState("load");
check((await page.getByRole("link", { name: "Sign in" }).count()) === 1, "one can sign out");

// The token was typed into a form: it is in no address that was asked for, and nothing that was said or written holds it.
check(asked.length > 500 && !asked.some((url) => url.includes(token)), "the token is in no address");
check(!server.complaints.includes(token) && server.said.split(token).length === 2, "the server says the token once, to who started it");
const holds = (directory) => readdirSync(directory, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile() && readFileSync(`${entry.parentPath}/${entry.name}`).includes(token));
check(![demo, small].some(holds), "no file of a collection holds the token");

await browser.close();
server.child.removeAllListeners("close");
server.child.kill("SIGINT");
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
