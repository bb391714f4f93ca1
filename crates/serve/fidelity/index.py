#!/usr/bin/env python3
"""Look-ups in a large index. Arguments: tintype, how many lines, a directory with room for 170 bytes a line.

Writes a sorted index of made-up pages, serves it, and measures processor time per look-up, memory and the time to the first
answer; all as the kernel counts them for the serving process. What it wrote is removed.
"""
import http.client, json, os, pathlib, random, re, subprocess, sys, time

tintype, lines, directory = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
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


write()
began = time.monotonic()
server = subprocess.Popen([tintype, "serve", str(path), "--bind", "127.0.0.1:0", "--json"], stdout=subprocess.PIPE, text=True)
try:
    port = int(re.search(r":(\d+)/", json.loads(server.stdout.readline())["address"]).group(1))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def look(number):
        connection.request("GET", f"/cdx?url={url(number)}&output=json")
        answer = connection.getresponse()
        rows = answer.read().splitlines()
        assert answer.status == 200 and len(rows) == 1 and json.loads(rows[0])["offset"] == str(number), (number, answer.status, rows)

    look(lines // 2)
    start, start_cpu = time.monotonic() - began, cpu(server.pid)
    dice, count = random.Random(7), 5000
    numbers = [dice.randrange(lines) for _ in range(count)]
    numbers[:2] = [0, lines - 1]
    before = cpu(server.pid)
    for number in numbers:
        look(number)
    spent = cpu(server.pid) - before
    print(json.dumps({
        "lines": lines, "bytes": path.stat().st_size, "start_ms": round(1000 * start, 1), "start_cpu_ms": round(1000 * start_cpu, 1),
        "look_ups": count, "look_up_cpu_ms": round(1000 * spent / count, 3), "most_resident_mib": round(status(server.pid, "VmHWM"), 1),
    }))
finally:
    server.terminate()
    server.wait()
    path.unlink()
