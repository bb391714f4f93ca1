// A site that changes when it is told to, some of whose words mean harm, and a listing.
import { createServer } from "node:http";

export const HARM = [
  `<script>window.harmed=1</script>`, `"><img src=x onerror="window.harmed=2">`, `'><svg/onload=window.harmed=3>`,
  `</title><script>window.harmed=4</script>`, `<!--`, `</textarea><script>window.harmed=5</script>`, `javascript:window.harmed=6`,
  `{{7*7}}`, `<a href="javascript:window.harmed=7">x</a>`, `<iframe srcdoc="<script>parent.harmed=8</script>">`, `\u202Etxt.exe`,
  `"autofocus onfocus="window.harmed=9" x="`, `]]><script>window.harmed=10</script>`, `<base href="https://elsewhere.example/">`,
];
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

export async function site() {
  let round = 0;
  const pages = {
    "/": () => `<title>Harbour Post</title><h1>Harbour Post</h1><ul>${HARM.map((_, n) => `<li><a href="/harm/${n}">story ${n}</a>`).join("")}</ul><p><a href="/prices">Prices</a> <a href="/cars">Cars</a> <a href="/calm">Calm</a> <a href="/gone">Gone</a> <a href="/q?%22%3E%3Cscript%3Ewindow.harmed=11%3C/script%3E='%22&lt;b&gt;">odd</a>`,
    "/prices": () => `<title>Prices</title><h1>Pool</h1><p>A ticket costs ${["four", "five", "seven"][round]} pounds on weekdays.</p><p>The pool opens at nine in the morning.</p>${round ? "<p>Towels can be had at the desk from now on.</p>" : "<p>Dogs are not let in.</p>"}`,
    "/calm": () => "<title>Calm</title><p>Nothing ever happens on this page, and nobody minds.</p>",
    "/gone": () => (round < 2 ? "<title>Promise</title><h1>A promise</h1><p>We will never close the library in Mill Lane.</p>" : null),
    "/cars": () => `<title>Cars</title><ul>${[1, 2, 3, 4, 5].map((n) => n + round).map((n) => `<li class=car data-id="${n}"><b class=make>${n === 4 ? escaped(HARM[1]) : ["bmw", "audi"][n % 2]}</b> <i class=year>${2000 + n}</i></li>`).join("")}</ul>`,
  };
  HARM.forEach((harm, n) => {
    pages[`/harm/${n}`] = () => `<title>${escaped(harm)} ${round}</title><meta name=description content="${escaped(harm)} ${round}"><h1>${escaped(harm)}</h1><p>In round ${["one", "two", "three"][round]} somebody wrote ${escaped(harm)} here, and ${round ? escaped(harm) : "calm"} there.</p><p id=live>still</p><script>document.getElementById("live").textContent="script ran";try{top.harmed=20}catch{};try{parent.harmed=21}catch{};try{parent.postMessage("harm","*")}catch{};try{fetch("http://127.0.0.1:"+(location.port)+"/do/read",{method:"POST",body:"item=1",mode:"no-cors"})}catch{}</script>`;
  });
  const server = createServer((request, response) => {
    const path = request.url.split("?")[0];
    const page = path === "/q" ? `<title>${escaped(HARM[0])}</title><p>odd ${round}` : pages[path]?.();
    response.setHeader("X-Note", "<script>window.harmed=12</script>");
    if (page === undefined || page === null) { response.statusCode = 404; response.end("no"); return; }
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<!doctype html>${page}`);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { origin: `http://127.0.0.1:${server.address().port}`, next: () => { round += 1; }, close: () => server.close() };
}
