"""A real nginx of the tests' own, with a file of `deploy/` in which only ports and paths are filled in."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.support import ROOT
from tests.support.processes import until
from tests.support.web_server import SECONDS, Game

HOST = "games.example.org"
"""The host name in the files of `deploy/`."""
_AROUND = """
{user}
daemon off;
pid {folder}/pid;
error_log {folder}/error.log;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/outplay.conf;
}}
"""


class Nginx:
    """A running nginx in front of outplay."""

    def __init__(self, folder: Path, port: int, root: str) -> None:
        self.folder, self.port, self.root = folder, port, root
        self._trust = ssl.create_default_context()
        self._trust.check_hostname, self._trust.verify_mode = False, ssl.CERT_NONE  # it has signed its own certificate

    def client(self, address: str = "127.0.0.1", **options: Any) -> httpx2.Client:
        """Return a client that calls from this address; all of 127.0.0.0/8 is this machine."""
        transport = httpx2.HTTPTransport(verify=self._trust, local_address=address)
        url = f"https://127.0.0.1:{self.port}{self.root}"
        return httpx2.Client(base_url=url, transport=transport, headers={"host": HOST}, timeout=SECONDS, **options)

    def socket(self, game: Game, **options: Any) -> ClientConnection:
        bare = socket.create_connection(("127.0.0.1", self.port), SECONDS)
        url = f"wss://{HOST}{self.root}{game.path}/events"
        found: ClientConnection = connect(url, sock=bare, ssl=self._trust, open_timeout=SECONDS, **options)
        return found

    @property
    def complaints(self) -> str:
        """What it has written into its log of errors."""
        return (self.folder / "error.log").read_text()


def free_ports(count: int) -> list[int]:
    """Return ports on which nothing listens now.

    They are below those that the system gives to connections: nginx asks again and again for a standby that does not
    listen yet, and one of these connections could get the very port, and meet itself there.
    """
    found: list[int] = []
    for port in random.sample(range(10_000, 32_000), 1_000):
        with closing(socket.socket()) as tried:
            if tried.connect_ex(("127.0.0.1", port)) != 0:
                found.append(port)
        if len(found) == count:
            return found
    raise AssertionError("there are no free ports")


@contextmanager
def nginx(folder: Path, ports: Sequence[int], *, file: str = "nginx.conf", root: str = "") -> Iterator[Nginx]:
    """Run nginx in front of one server, or of a server and its standby; skip the test where there is none to run."""
    program, openssl = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin"), shutil.which("openssl")
    if program is None or openssl is None:
        pytest.skip("nginx or openssl is not installed")
    folder.mkdir(exist_ok=True)
    _certificate(openssl, folder)
    (own,) = free_ports(1)
    (folder / "outplay.conf").write_text(_filled_in((ROOT / "deploy" / file).read_text(), folder, own, ports))
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(_AROUND.format(folder=folder, user=user))
    command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")]
    process = subprocess.Popen(command)
    try:
        until(lambda: process.poll() is not None or _answers(own))
        server = Nginx(folder, own, root)
        assert process.poll() is None, server.complaints
        yield server
    finally:
        process.terminate()
        process.wait(SECONDS)


def _filled_in(text: str, folder: Path, own: int, ports: Sequence[int]) -> str:
    """Fill in our ports and paths; the line for a standby is a comment until it is wanted."""
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{own} ssl").replace("/etc/ssl", str(folder))
    if len(ports) > 1:
        text = re.sub(r"# (server 127\.0\.0\.1:8643)", r"\1", text)
        text = text.replace(":8643", f":{ports[1]}")
    return text.replace(":8642", f":{ports[0]}")


def _certificate(openssl: str, folder: Path) -> None:
    key, certificate = folder / f"{HOST}.key", folder / f"{HOST}.pem"
    command = [openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)


def _answers(port: int) -> bool:
    with closing(socket.socket()) as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0
