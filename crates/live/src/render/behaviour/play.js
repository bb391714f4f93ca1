// Films and sounds begin, mute, so that what they consist of is asked for. Says how many were started.
(() => {
  let started = 0;
  for (const film of document.querySelectorAll("video, audio")) {
    if (started >= 5 || !film.paused) continue;
    film.muted = true;
    film.play().catch(() => {});
    started += 1;
  }
  return started;
})()
