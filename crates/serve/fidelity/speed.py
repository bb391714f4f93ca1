#!/usr/bin/env python3
"""CPU time per request, ours and pywb's in one run over one collection. Arguments: tintype, the directory of a collection, pywb's venv.

Processor time of the serving process, not wall time: what other programs do meanwhile does not count. Also holds a thousand
connections at once and counts errors, and measures the time to the first answer in processor time.
"""
import concurrent.futures, http.client, json, os, pathlib, random, re, socket, subprocess, sys, tempfile, time

tintype, collection, venv = sys.argv[1], os.path.abspath(sys.argv[2]), os.path.abspath(sys.argv[3])
TICK = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    """Processor seconds of a process and its threads."""
    fields = open(f"/proc/{pid}/stat").read().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{pid}/status").read()).group(1)) / 1024


def wait(port):
    for _ in range(600):
        try:
            http.client.HTTPConnection("127.0.0.1", port, timeout=5).request("GET", "/")
            return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"nothing answers at {port}")


def ask(connection, target, headers):
    connection.request("GET", target, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read(), answer


def measure(pid, port, targets, count, headers=lambda target: {}):
    """Milliseconds of processor time per request, after a round to warm up."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    statuses = {}
    for number in range(len(targets)):
        ask(connection, targets[number], headers(targets[number]))
    before, bytes_sent = cpu(pid), 0
    for number in range(count):
        target = targets[number % len(targets)]
        status, body, _ = ask(connection, target, headers(target))
        statuses[status] = statuses.get(status, 0) + 1
        bytes_sent += len(body)
    return {"ms": round(1000 * (cpu(pid) - before) / count, 3), "statuses": statuses, "mean_bytes": bytes_sent // count}


def main():
    ours = subprocess.Popen([tintype, "serve", "-C", collection, "--bind", "127.0.0.1:0", "--json"], stdout=subprocess.PIPE, text=True)
    address = json.loads(ours.stdout.readline())["address"]
    port = int(re.search(r":(\d+)/", address).group(1))
    started = cpu(ours.pid)
    directory = tempfile.mkdtemp()
    pathlib.Path(directory, "config.yaml").write_text(f"collections:\n  web:\n    archive_paths: {collection}/warc/\n    index_paths: {collection}/index/\nframed_replay: false\n")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        their_port = probe.getsockname()[1]
    theirs = subprocess.Popen([f"{venv}/bin/wayback", "-p", str(their_port), "-b", "127.0.0.1"], cwd=directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait(their_port)
        rows = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        listed = subprocess.run([tintype, "captures", "-C", collection, "--json"], capture_output=True, text=True).stdout
        pages = []
        for site in sorted(set(re.findall(r'"site":\s*"([^"]+)"', listed))):
            query = f"/cdx?url=http://{site}/*&filter==status:200&filter=mime:text/html&fl=timestamp,url&output=json&limit=60"
            _, body, _ = ask(rows, query, {})
            pages += [json.loads(line) for line in body.splitlines() if b'"url"' in line]
        random.Random(7).shuffle(pages)
        pages = pages[:100]
        raw = [f"/web/{page['timestamp']}id_/{page['url']}" for page in pages]
        # Where a browser is led to: the page on its own origin.
        shown = []
        for page in pages:
            _, _, answer = ask(rows, f"/web/{page['timestamp']}/{page['url']}", {"Sec-Fetch-Mode": "navigate", "Accept": "text/html"})
            location = answer.getheader("Location") or ""
            led = re.match(r"http://([^/]+)(/.*)", location)
            if led:
                shown.append((led.group(1), led.group(2)))
        navigation = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Accept": "text/html"}
        result = {"pages": len(pages), "start_cpu_ms": round(1000 * started, 1)}
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for host, path in shown:
            ask(connection, path, {**navigation, "Host": host})
        count, statuses, before = 2000, {}, cpu(ours.pid)
        for number in range(count):
            host, path = shown[number % len(shown)]
            status, _, _ = ask(connection, path, {**navigation, "Host": host})
            statuses[status] = statuses.get(status, 0) + 1
        result["ours_rewritten"] = {"ms": round(1000 * (cpu(ours.pid) - before) / count, 3), "statuses": statuses}
        result["ours_raw"] = measure(ours.pid, port, raw, 4000)
        cdx = [f"/cdx?url={page['url']}&output=json" for page in pages]
        result["ours_cdx"] = measure(ours.pid, port, cdx, 4000)
        result["pywb_rewritten"] = measure(theirs.pid, their_port, [f"/web/{page['timestamp']}mp_/{page['url']}" for page in pages], 300)
        result["pywb_raw"] = measure(theirs.pid, their_port, [f"/web/{page['timestamp']}id_/{page['url']}" for page in pages], 300)
        result["pywb_cdx"] = measure(theirs.pid, their_port, [f"/web/cdx?url={page['url']}&output=json" for page in pages], 300)
        result["ours_resident_mib"] = round(resident(ours.pid), 1)

        def one(number):
            try:
                status, _, _ = ask(http.client.HTTPConnection("127.0.0.1", port, timeout=120), raw[number % len(raw)], {})
                return status
            except Exception as error:
                return type(error).__name__
        with concurrent.futures.ThreadPoolExecutor(1000) as pool:
            at_once = {}
            for status in pool.map(one, range(1000)):
                at_once[str(status)] = at_once.get(str(status), 0) + 1
        result["thousand_at_once"] = at_once
        print(json.dumps(result, indent=1))
    finally:
        for process in (ours, theirs):
            process.terminate()
            process.wait()


main()
