// What a person would click to read on: "load more", accordions, parts that are folded away. Never a link that leads
// elsewhere, a form, or anything that buys, sends or signs in. Says how many were clicked.
(() => {
  const seen = (window.__tintypeOpened ||= new WeakSet());
  const shown = (thing) => thing.getClientRects().length > 0 && !thing.disabled;
  const more = /^(load|show|see|view|read)\s+(more|all|older|next)\b|^more\b|^mehr\b|^weitere\b|^voir plus|^cargar más|^ver más|^carica altro|もっと見る|加载更多/i;
  const doing = /buy|order|send|submit|delete|remove|sign|log\s?(in|out)|subscribe|cart|pay|share|print/i;
  const says = (thing) => (thing.innerText || thing.getAttribute("aria-label") || "").trim().slice(0, 80);
  const stays = (thing) => thing.tagName !== "A" || /^(#.*|javascript:.*)?$/.test(thing.getAttribute("href") || "");
  const sends = (thing) => thing.form && (thing.type || "submit") === "submit";
  let opened = 0;
  for (const part of document.querySelectorAll("details:not([open])")) {
    if (opened >= 50) break;
    part.open = true;
    opened += 1;
  }
  for (const thing of document.querySelectorAll("button, [role=button], a, summary, [aria-expanded=false]")) {
    if (opened >= 50) break;
    const text = says(thing);
    const folded = thing.getAttribute("aria-expanded") === "false" && !thing.getAttribute("aria-haspopup");
    if (!(more.test(text) || folded) || doing.test(text) || !shown(thing) || !stays(thing) || sends(thing)) continue;
    // What says "more" may have more again; what folds would fold back.
    if (folded && seen.has(thing)) continue;
    seen.add(thing);
    thing.click();
    opened += 1;
  }
  return opened;
})()
