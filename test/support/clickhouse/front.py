"""ClickHouse's own engine (chdb) behind as much of its HTTP interface as the official client uses.

Usage: front.py FOLDER. Writes `listening PORT` to its output, and ends when its input does.
One statement at a time: the engine in a process has one session.
"""

import gzip
import json
import os
import re
import sys
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

from chdb.session import Session

# Parameters of the interface itself. All others are settings, or `param_...` of the statement.
INTERFACE = {
    "query", "database", "query_id", "session_id", "session_timeout", "session_check", "default_format", "role",
    "compress", "decompress", "enable_http_compression", "http_zlib_compression_level", "user", "password",
}  # fmt: skip
# Of a server: this engine has no such setting, or does not run what it is about.
SERVER_SETTINGS = {"wait_end_of_query", "send_progress_in_http_headers", "http_headers_progress_interval_ms"}
NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
CODE = re.compile(r"Code: (\d+)")

session = Session(sys.argv[1])
lock = threading.Lock()
# Settings that the session has now, and its database.
applied = {}
current = {}
# What a test asked to fail: a list of [text of the statement, "before" or "after" it was run], each once.
faults = []


def literal(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def run(text: str, given: dict[str, str]) -> bytes:
    params = {name[6:]: value for name, value in given.items() if name.startswith("param_")}
    settings = {
        name: value
        for name, value in given.items()
        if name not in INTERFACE and name not in SERVER_SETTINGS and not name.startswith("param_") and NAME.match(name)
    }
    # A session that was set to read only could never be set back.
    if settings.pop("readonly", "0") != "0" and not text.lstrip().lower().startswith("select"):
        raise RuntimeError("Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)")
    with lock:
        settle("database", given.get("database", "default"))
        for name in applied.keys() | settings.keys():
            settle(name, settings.get(name))
        answer = session.query(text, given.get("default_format", "TabSeparated"), params=params)
        return b"" if answer is None else answer.bytes()


def settle(name: str, value: str | None) -> None:
    """Sets what the statement before did not have so."""
    known = current if name == "database" else applied
    if known.get(name) == value:
        return
    if name == "database":
        session.query(f"use `{value}`")
    else:
        session.query(f"set {name} = {'default' if value is None else literal(value)}")
    if value is None:
        known.pop(name, None)
    else:
        known[name] = value


class Front(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer goes out as one piece: in two, the second would wait 40 ms for the client's acknowledgement of the first.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        if urlsplit(self.path).path == "/ping":
            self.answer(200, b"Ok.\n")
        else:
            self.do_POST()

    def do_POST(self) -> None:
        address = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        if address.path == "/faults":
            faults[:] = json.loads(body)
            return self.answer(200, b"")
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        given = dict(parse_qsl(address.query, keep_blank_values=True))
        text = body.decode("utf-8", "surrogateescape")
        query = given.get("query")
        if query is not None:
            text = query + "\n" + text if text else query
        try:
            fault = next((each for each in faults if each[0] in text), None)
            if fault is not None:
                faults.remove(fault)
            if fault is not None and fault[1] == "before":
                raise RuntimeError("Code: 241. DB::Exception: Asked to fail. (MEMORY_LIMIT_EXCEEDED)")
            out = run(text, given)
            if fault is not None:
                raise RuntimeError("Code: 209. DB::Exception: Asked to fail. (SOCKET_TIMEOUT)")
        except Exception as error:  # noqa: BLE001 - whatever it is, a server would say so
            message = str(error)
            code = CODE.search(message)
            self.answer(500, message.encode(), {"X-ClickHouse-Exception-Code": code.group(1) if code else "1000"})
        else:
            self.answer(200, out, {"X-ClickHouse-Summary": "{}"})

    def answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("X-ClickHouse-Query-Id", str(uuid.uuid4()))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Front)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print("listening", server.server_address[1], flush=True)
sys.stdin.read()
# The engine does not come down in order; all it has is to be thrown away.
os._exit(0)
