fetch(`/data/${"items"}.json`).then((r) => r.json()).then((items) => { document.getElementById("text").textContent = items.map((item) => item.title).join(", "); });
