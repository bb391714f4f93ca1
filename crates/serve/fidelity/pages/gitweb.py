# gitweb on loopback: CGI by the standard library. Argument: the port.
import os, subprocess, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STATIC = "/usr/share/gitweb/static"
CONFIG = os.path.abspath("gitweb.conf")
with open(CONFIG, "w") as config:
    config.write('our $projectroot = "%s"; $feature{"timed"}{"default"} = [0];\n' % os.getcwd())


class Gitweb(BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        name = os.path.basename(path)
        if path.startswith("/static/") and os.path.isfile(f"{STATIC}/{name}"):
            kind = {"css": "text/css", "js": "text/javascript", "png": "image/png"}.get(name.rsplit(".", 1)[-1], "text/plain")
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.end_headers()
            with open(f"{STATIC}/{name}", "rb") as file:
                self.wfile.write(file.read())
            return
        environment = dict(os.environ, GITWEB_CONFIG=CONFIG, REQUEST_METHOD="GET", QUERY_STRING=query, SCRIPT_NAME="/",
                           PATH_INFO="", SERVER_NAME="127.0.0.1", SERVER_PROTOCOL="HTTP/1.1", GATEWAY_INTERFACE="CGI/1.1",
                           HTTP_HOST=self.headers.get("Host", ""), REQUEST_URI=self.path)
        head, _, body = subprocess.run(["perl", "/usr/share/gitweb/gitweb.cgi"], env=environment, capture_output=True).stdout.partition(b"\r\n\r\n")
        fields = [line.partition(": ") for line in head.decode().split("\r\n")]
        self.send_response(int(next((value.split()[0] for name, _, value in fields if name == "Status"), "200")))
        for name, _, value in fields:
            if name and name != "Status":
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Gitweb).serve_forever()
