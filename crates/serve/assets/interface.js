// Makes pages that read well without it quicker to use: keys in the list of changes, a slider through versions, what happens now.
"use strict";
const items = [...document.querySelectorAll("article.item")];
if (items.length) {
  const here = () => items.findIndex((item) => item.contains(document.activeElement));
  const go = (to) => { const item = items[Math.max(0, Math.min(items.length - 1, to))]; item.focus(); item.scrollIntoView({ block: "nearest" }); };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "j") go(here() + 1);
    else if (event.key === "k") go(here() < 0 ? 0 : here() - 1);
    else if (event.key === "o") items[here()]?.querySelector("a.open")?.click();
    else if (event.key === "m") items[here()]?.querySelector("form.mark-read button")?.click();
    else return;
    event.preventDefault();
  });
}
// Everywhere: a slash leads to the search, brackets to the step before and the next one.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  if (event.key === "/") document.querySelector("header input[type=search]")?.focus();
  else if (event.key === "[") document.querySelector("main a[rel=prev]")?.click();
  else if (event.key === "]") document.querySelector("main a[rel=next]")?.click();
  else return;
  event.preventDefault();
});
for (const slider of document.querySelectorAll("input[type=range][data-versions]")) {
  const versions = JSON.parse(slider.dataset.versions);
  const shown = document.getElementById(slider.getAttribute("aria-describedby"));
  slider.hidden = false;
  slider.addEventListener("input", () => { shown.textContent = versions[slider.value].name; slider.setAttribute("aria-valuetext", versions[slider.value].name); });
  const frame = document.getElementById("shown");
  slider.addEventListener("change", () => {
    const { name, to, frame: address } = versions[slider.value];
    if (!frame) { location.href = to; return; }
    // In the place of the frame, so that the way back leads back from this page.
    const fresh = frame.cloneNode();
    const old = document.getElementById("shown");
    fresh.src = address;
    fresh.title = `The version of ${name} as browsers show it`;
    old.replaceWith(fresh);
    const at = document.getElementById("shown-at");
    at.href = to;
    at.textContent = name;
  });
}
for (const select of document.querySelectorAll("select[data-send]")) select.addEventListener("change", () => select.form.requestSubmit());
if (document.getElementById("lab-playing") && "EventSource" in window) {
  new EventSource("/lab/events").addEventListener("now", (event) => {
    const told = JSON.parse(event.data);
    if (!told.playing) { location.reload(); return; }
    document.getElementById("lab-percent").value = told.percent;
    document.getElementById("lab-now").textContent = `${told.percent} %${told.now ? `, now ${told.now}` : ""}`;
  });
}
function row(cells) {
  const row = document.createElement("tr");
  for (const [kind, text] of cells) {
    const cell = document.createElement("td");
    row.append(cell);
    if (kind === "page" || kind === "site") {
      const link = document.createElement("a");
      link.href = kind === "page" ? `/page?url=${encodeURIComponent(text)}` : `/site/${encodeURIComponent(text)}`;
      link.textContent = text;
      cell.append(link);
      continue;
    }
    cell.className = kind;
    cell.textContent = text;
  }
  return row;
}
const live = document.getElementById("live");
if (live && "EventSource" in window) {
  const source = new EventSource("/live/events");
  source.addEventListener("now", (event) => {
    const told = JSON.parse(event.data);
    for (const [name, text] of Object.entries(told.texts)) { const place = document.getElementById(name); if (place && place.textContent !== text) place.textContent = text; }
    document.getElementById("pulse").classList.toggle("off", !told.running);
    for (const visit of told.visits) live.prepend(row([["date", visit.at], ["page", visit.url], ["", visit.found], ["number", visit.took]]));
    document.getElementById("live-asked").replaceChildren(...told.asked.map(([at, url]) => row([["date", at], ["page", url]])));
    // Sites that are looked at just now are told of the next time.
    if (told.waiting.length) {
      const rows = told.waiting.map(([site, url, at, why, worth]) => row([["site", site], ["page", url], ["date", at], ["", why], ["number", worth]]));
      document.getElementById("live-waiting")?.replaceChildren(...rows);
    }
    document.getElementById("live-none").hidden = told.asked.length > 0;
    while (live.rows.length > 100) live.deleteRow(-1);
  });
}
