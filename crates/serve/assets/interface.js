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
for (const slider of document.querySelectorAll("input[type=range][data-versions]")) {
  const versions = JSON.parse(slider.dataset.versions);
  const shown = document.getElementById(slider.getAttribute("aria-describedby"));
  slider.hidden = false;
  slider.addEventListener("input", () => { shown.textContent = versions[slider.value].name; slider.setAttribute("aria-valuetext", versions[slider.value].name); });
  slider.addEventListener("change", () => { location.href = versions[slider.value].to; });
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
    cell.className = kind;
    cell.textContent = text;
    row.append(cell);
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
    for (const visit of told.visits) live.prepend(row([["date", visit.at], ["", visit.url], ["", visit.found], ["number", visit.took]]));
    document.getElementById("live-asked").replaceChildren(...told.asked.map(([at, url]) => row([["date", at], ["", url]])));
    document.getElementById("live-none").hidden = told.asked.length > 0;
    while (live.rows.length > 100) live.deleteRow(-1);
  });
}
