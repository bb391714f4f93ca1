#!/usr/bin/env python3
"""Look-ups in a large index. Arguments: tintype, how many lines, a directory with room for 170 bytes a line; or tintype, the word
collection, and the directory of one that the example merged_index of tintype-archive made and merged.

Writes a sorted index of made-up pages, serves it, and measures processor time per look-up, memory and the time to the first
answer; all as the kernel counts them for the serving process. What it wrote is removed. Of a collection, pages are looked up that
blocks of its merged index begin with.
"""
import http.client, json, os, pathlib, random, re, subprocess, sys, time

tintype, directory = sys.argv[1], pathlib.Path(sys.argv[3])
is_collection = sys.argv[2] == "collection"
TICK = os.sysconf("SC_CLK_TCK")
path = directory / "synthetic.cdxj"


def url(number):
    return f"http://example.com/{number:09d}"


def write():
    with open(path, "w", buffering=1 << 20) as file:
        for number in range(lines):
            file.write(f'com,example)/{number:09d} 20260101000000 {{"url": "{url(number)}", "mime": "text/html", "status": "200", "length": "9", "offset": "{number}", "filename": "a.warc.gz"}}\n')


def cpu(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def status(pid, name):
    return int(re.search(rf"{name}:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) / 1024


def pages():
    """Addresses to look up, and how many lines there are."""
    if not is_collection:
        dice = random.Random(7)
        return [url(number) for number in [0, lines - 1, *(dice.randrange(lines) for _ in range(4998))]], lines
    firsts, count = [], 0
    for of in directory.glob("index/merged/*.of"):
        count += json.loads(of.read_text())["lines"]
        # com,example-0001)/section-1/page-000000007 20260528202640, and where that is.
        keys = [line.split(" ")[0] for line in of.with_suffix(".idx").read_text().splitlines()]
        firsts += [f"https://{key[4:].replace(')', '.com', 1)}" for key in keys]
    return random.Random(7).choices(firsts, k=5000), count


lines = 0 if is_collection else int(sys.argv[2])
if not is_collection:
    write()
looked_up, lines = pages()
began = time.monotonic()
served = ["-C", str(directory)] if is_collection else [str(path)]
server = subprocess.Popen([tintype, "serve", *served, "--bind", "127.0.0.1:0", "--json"], stdout=subprocess.PIPE, text=True)
try:
    port = int(re.search(r":(\d+)/", json.loads(server.stdout.readline())["address"]).group(1))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def look(page):
        connection.request("GET", f"/cdx?url={page}&output=json")
        answer = connection.getresponse()
        rows = answer.read().splitlines()
        assert answer.status == 200 and rows and json.loads(rows[0])["url"] == page, (page, answer.status, rows)
        return len(rows)

    look(looked_up[0])
    start, start_cpu = time.monotonic() - began, cpu(server.pid)
    before = cpu(server.pid)
    found = sum(look(page) for page in looked_up)
    spent = cpu(server.pid) - before
    print(json.dumps({
        "lines": lines, "start_ms": round(1000 * start, 1), "start_cpu_ms": round(1000 * start_cpu, 1), "found": found,
        "look_ups": len(looked_up), "look_up_cpu_ms": round(1000 * spent / len(looked_up), 3), "most_resident_mib": round(status(server.pid, "VmHWM"), 1),
    }))
finally:
    server.terminate()
    server.wait()
    if not is_collection:
        path.unlink()
