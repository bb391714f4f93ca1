// One screen further down, in the page and in whatever scrolls inside it. Says whether anything moved.
(() => {
  const step = (thing) => {
    const before = thing.scrollTop;
    thing.scrollTo({ top: before + Math.max(200, thing.clientHeight * 0.9), behavior: "instant" });
    return thing.scrollTop > before + 1;
  };
  const scrolls = (thing) => thing.scrollHeight > thing.clientHeight + 100 && thing.clientHeight > 200 &&
    ["auto", "scroll"].includes(getComputedStyle(thing).overflowY);
  const page = document.scrollingElement || document.documentElement;
  const inside = [...document.querySelectorAll("main, div, section, article, ul, aside, nav")].slice(0, 2000).filter(scrolls).slice(0, 10);
  return [page, ...inside].map(step).some(Boolean);
})()
