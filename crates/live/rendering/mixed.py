#!/usr/bin/env python3
"""Mixed sites: static documentation beside what scripts build. How much `--render auto` reaches of what `always` does, and at what
cost, after one capture of learning. See ./mixed; writes a table. Usage: mixed.py WORK TINTYPE [SITE...]"""
import hashlib, json, os, random, shutil, subprocess, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

WORDS = Path(__file__).read_text().split()
KINDS = {".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json",
         ".svg": "image/svg+xml", ".woff2": "font/woff2", ".png": "image/png", ".xml": "application/xml"}


def text(seed, count=120):
    dice = random.Random(seed)
    return " ".join(f"{dice.choice(WORDS).strip('.,()[]{}=:')}{dice.randrange(9000)}" for _ in range(count))


def pages(count, directories):
    return [(f"part{n % directories}", f"page{n}") for n in range(count)]


def mkdocs(work, out, count, theme, extra="", body=lambda n: ""):
    source = out.parent / f"{out.name}-source"
    shutil.rmtree(source, ignore_errors=True)
    (source / "docs").mkdir(parents=True)
    (source / "docs/index.md").write_text(f"# Start\n\n[the app](/app/)\n\n{text(0)}\n")
    for n, (directory, name) in enumerate(pages(count, 8)):
        (source / "docs" / directory).mkdir(exist_ok=True)
        (source / "docs" / directory / f"{name}.md").write_text(f"# Page {n}\n\n{text(n)}\n\n{body(n)}\n")
    (source / "mkdocs.yml").write_text(f"site_name: Handbook\nsite_url: ''\ntheme:\n{theme}\nplugins: [search]\n{extra}")
    subprocess.run([work / "venv/bin/mkdocs", "build", "-q", "-d", out], cwd=source, check=True, stderr=subprocess.DEVNULL)


def sphinx(work, out, count):
    source = out.parent / f"{out.name}-source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    (source / "conf.py").write_text("project = 'Manual'\nhtml_theme = 'alabaster'\n")
    names = []
    for n, (directory, name) in enumerate(pages(count, 7)):
        (source / directory).mkdir(exist_ok=True)
        (source / directory / f"{name}.rst").write_text(f"Page {n}\n========\n\n{text(n)}\n")
        names.append(f"   {directory}/{name}")
    toc = "\n".join(names)
    (source / "index.rst").write_text(f"Manual\n======\n\n`The app </app/>`_\n\n.. toctree::\n\n{toc}\n")
    subprocess.run([work / "venv/bin/sphinx-build", "-q", "-b", "html", source, out], check=True, stderr=subprocess.DEVNULL)


def app(work, out, main, items, version):
    source = work / "app-source"
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir()
    shutil.copy(Path(__file__).parent / "mixed-apps" / main, source / main)
    with open(source / main, "a") as code:
        code.write(f"\ndocument.title = 'version {version}';\n")
    (source / "index.html").write_text(f"<!doctype html><title>App</title><div id=root></div><script type=module src=/{main}></script>")
    (source / "vite.config.js").write_text("export default { base: '/app/', esbuild: { jsx: 'automatic' } };\n")
    os.symlink(work / "node_modules", source / "node_modules")
    subprocess.run(["node_modules/.bin/vite", "build", "--logLevel", "error", "--outDir", out / "app"], cwd=source, check=True)
    (out / "app/data").mkdir()
    (out / "app/pictures").mkdir()
    listed = [{"id": n, "title": f"Item {n}"} for n in range(items)]
    (out / "app/data/items.json").write_text(json.dumps(listed))
    for n in range(items):
        (out / f"app/data/{n}.json").write_text(json.dumps({"text": text(f"{version} {n}", 30)}))
        for side in (1, 2):
            picture(out / f"app/pictures/{n}-{side}.svg", f"{version} {n} {side}")


def picture(path, words):
    path.write_text(f"<svg xmlns='http://www.w3.org/2000/svg' width='90' height='60'><title>{words}</title><text y='30'>{words}</text></svg>")


GALLERY = """
document.querySelectorAll(".gallery").forEach(async (place) => {
  const names = await (await fetch("/sets/" + place.dataset.set + ".json")).json();
  place.innerHTML = names.map((name) => `<img alt="" src="/sets/${name}.svg">`).join("");
});
"""
CHART = """<div id="chart" data-series="{n}"></div>
<script src="/js/chart.umd.js"></script>
<script>
(async () => {{
  const place = document.getElementById("chart");
  const data = await (await fetch("/series/" + place.dataset.series + ".json")).json();
  const canvas = place.appendChild(document.createElement("canvas"));
  new Chart(canvas, {{ type: "bar", data: {{ labels: data, datasets: [{{ label: "Series", data }}] }}, options: {{ animation: false }} }});
}})();
</script>"""


def atlas_page(n):
    """Every seventh page has a gallery that a script of all pages fills, every tenth a chart."""
    gallery = f'<div class="gallery" data-set="{n}"></div>\n' if n % 7 == 3 else ""
    return gallery + (CHART.format(n=n) if n % 10 == 6 else "")


def atlas(work, out, count, version):
    mkdocs(work, out, count, "  name: readthedocs", "extra_javascript: [/js/gallery.js]\n", atlas_page)
    for directory in ("js", "sets", "series"):
        (out / directory).mkdir(exist_ok=True)
    (out / "js/gallery.js").write_text(GALLERY)
    shutil.copy(work / "node_modules/chart.js/dist/chart.umd.js", out / "js/chart.umd.js")
    for n in range(count):
        (out / f"series/{n}.json").write_text(json.dumps([random.Random(f"{version} {n}").randrange(99) for _ in range(9)]))
        names = [f"{n}-{version}-{k}" for k in range(3)]
        (out / f"sets/{n}.json").write_text(json.dumps(names))
        for name in names:
            picture(out / f"sets/{name}.svg", name)


def handbook(work, out, count, version):
    mkdocs(work, out, count, "  name: material\n  font: false")
    app(work, out, "main.jsx", count // 5, version)


def manual(work, out, count, version):
    sphinx(work, out, count)
    app(work, out, "main.js", count // 5, version)


SITES = {"handbook": ("MkDocs Material beside a React app", handbook), "manual": ("Sphinx beside a Vue app", manual),
         "atlas": ("MkDocs with galleries and charts on some pages", atlas)}


class Served(ThreadingHTTPServer):
    root, asked, daemon_threads = None, set(), True


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = unquote(urlsplit(self.path).path)
        file = self.server.root / path.lstrip("/")
        tries = [file, file / "index.html"]
        if path.startswith("/app/") and not Path(path).suffix:
            tries.append(self.server.root / "app/index.html")
        found = next((name for name in tries if name.is_file()), None)
        if found is None:
            return self.answer(404, "text/plain", b"not there\n", {})
        self.server.asked.add(self.path)
        body = found.read_bytes()
        tag = f'"{hashlib.sha1(body).hexdigest()[:16]}"'
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, None, b"", {"ETag": tag})
        self.answer(200, KINDS.get(found.suffix, "application/octet-stream"), body, {"ETag": tag})

    def answer(self, status, kind, body, more):
        self.send_response(status)
        for name, value in more.items():
            self.send_header(name, value)
        if kind:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def capture(server, tintype, collection, seed, way):
    server.asked = set()
    command = [tintype, "capture", seed, "-C", collection, "--delay", "0", "--render", way, "--contact", "https://r.example/", "--json"]
    ended = subprocess.run(command, capture_output=True, text=True)
    if not ended.stdout.startswith("{"):
        raise SystemExit(f"{way}: {ended.stderr}")
    said = json.loads(ended.stdout)["sites"][0]
    rendered = said.get("rendered") or {"pages": 0, "took": 0, "failed": 0}
    asked = {path for path in server.asked if path != "/robots.txt"}
    return asked, rendered, said


def main():
    work, tintype = Path(sys.argv[1]).resolve(), sys.argv[2]
    count = int(os.environ.get("PAGES", "100"))
    rows = []
    for name in sys.argv[3:] or SITES:
        tool, build = SITES[name]
        for version, more in (("one", 0), ("two", count // 5)):
            out = work / f"{name}-{version}"
            if not out.is_dir():
                build(work, out, count + more, version)
        server = Served(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        seed = f"http://127.0.0.1:{server.server_port}/"
        learned, same = work / "collections" / f"{name}-learned", lambda way: work / "collections" / f"{name}-{way}"
        shutil.rmtree(work / "collections", ignore_errors=True)
        server.root = work / f"{name}-one"
        results = {"learning": capture(server, tintype, learned, seed, "auto")}
        results["first always"] = capture(server, tintype, same("first"), seed, "always")
        server.root = work / f"{name}-two"
        for way in ("auto", "always", "never"):
            shutil.copytree(learned, same(way))
            results[way] = capture(server, tintype, same(way), seed, way)
        server.shutdown()
        all_of = results["always"][0]
        missing = sorted(all_of - results["auto"][0])
        for way, (asked, rendered, said) in results.items():
            print(f"{name} {way}: {len(asked)} resources, {said['pages']} pages, {rendered['pages']} built, "
                  f"{rendered['took'] / 1000:.1f} s, {rendered['failed']} failed, {said['seconds']:.1f} s in all", flush=True)
        print(f"{name} missing of always: {missing[:8]}", flush=True)
        first = results["first always"]
        rows.append((tool, all_of, results, len(all_of & results["auto"][0]) / len(all_of), len(first[0] & results["learning"][0]) / len(first[0])))
    head = "| site | resources `always` / `never` | `auto` reaches | pages built `always` / `auto` | browser seconds `always` / `auto` | share | first capture reaches | at |"
    print("\n" + head + "\n|---|---|---|---|---|---|---|---|")
    for tool, all_of, results, share, first in rows:
        seconds = {way: result[1]["took"] / 1000 for way, result in results.items()}
        built = {way: result[1]["pages"] for way, result in results.items()}
        never = len(all_of & results["never"][0])
        print(f"| {tool} | {len(all_of)} / {never} | {100 * share:.1f} % | {built['always']} / {built['auto']} | "
              f"{seconds['always']:.0f} / {seconds['auto']:.0f} | {100 * seconds['auto'] / seconds['always']:.0f} % | {100 * first:.1f} % | "
              f"{100 * seconds['learning'] / seconds['first always']:.0f} % |")


main()
