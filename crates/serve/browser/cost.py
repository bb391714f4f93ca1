"""What pages of the interface cost on a large collection: CPU of the server until the first byte, and bytes.

cost.py TINTYPE COLLECTION. Each page is asked for until it is there (what was read for that, with all threads, is
`made`), then twenty times more while everything is fresh (`shown`, the mean of one).
"""

import os, re, subprocess, sys, time, urllib.error, urllib.parse, urllib.request

TICK = os.sysconf("SC_CLK_TCK")
AGAIN = 20
tintype, collection = sys.argv[1:3]
server = subprocess.Popen([tintype, "serve", "-C", collection, "--bind", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
origin = re.search(r"http://[\d.:]+", server.stdout.readline()).group()


def cpu():
    fields = open(f"/proc/{server.pid}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def once(path):
    try:
        with urllib.request.urlopen(origin + path, timeout=600) as answer:
            return answer.status, answer.headers.get("Refresh"), answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers.get("Refresh"), refused.read()


def settled(path):
    while True:
        status, refresh, body = once(path)
        if not refresh:
            return status, body
        time.sleep(0.2)


def links(path, start):
    found = re.findall(rf'href="({re.escape(start)}[^"]+)"', settled(path)[1].decode())
    return [link.replace("&#38;", "&") for link in found]


try:
    print(f"{'page':<20} {'status':>6} {'bytes':>8} {'made, s':>8} {'wall, s':>8} {'shown, ms':>10}")
    site = capture = page = None
    plan = ["/search?q=example", "/", "/changes", "/captures", "/listings", "/live", "/lab", "/search", "site", "capture", "print", "page", "diff", "calendar", "phrase", "absent", "version"]
    for name in plan:
        if name == "site":
            site = links("/", "/site/")[0]
        if name == "capture":
            capture = links("/captures", "/capture/")[0]
        if name == "page":
            # A site that nobody asked lately names no pages.
            host = urllib.parse.quote(urllib.parse.unquote(site.split("/site/")[1]), safe="")
            known = links(site, "/page?url=") or links(f"/search?q=http%3A%2F%2F{host}%2F", "/page?url=")
            page = urllib.parse.unquote(known[0].split("=", 1)[1])
        quoted = urllib.parse.quote(page or "", safe="")
        path = {
            "site": site, "capture": capture, "print": f"{capture}.print", "page": f"/page?url={quoted}", "diff": f"/diff?url={quoted}",
            "calendar": f"/web/*/{page}", "phrase": "/search?q=one", "absent": "/search?q=never+written",
            "version": f"/version?url={quoted}&q=one&at=2026",
        }.get(name, name)
        before, began = cpu(), time.time()
        status, body = settled(path)
        made, wall = cpu() - before, time.time() - began
        before = cpu()
        for _ in range(AGAIN):
            once(path)
        shown = 1000 * (cpu() - before) / AGAIN
        problem = "" if status == 200 else "  " + body.decode(errors="replace").strip()[:150]
        print(f"{name[:20]:<20} {status:>6} {len(body):>8} {made:>8.2f} {wall:>8.1f} {shown:>10.1f}{problem}", flush=True)
finally:
    server.terminate()
    server.wait()
