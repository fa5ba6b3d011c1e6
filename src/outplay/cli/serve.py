"""`outplay serve`: the web app."""

from __future__ import annotations

import ipaddress
from typing import Annotated

import typer


def _checked_proxies(addresses: list[str] | None) -> list[str] | None:
    """Not a name, and not everybody: who is believed must be known."""
    for address in addresses or ():
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise typer.BadParameter(f"{address!r} is no address") from None
    return addresses


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="the address to listen on")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="the port, 0 for any free one; default: 8642, or the next free one"),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="where games are saved: a path for SQLite, a postgresql:// URL, or memory; "
            "default: a file in your data folder",
        ),
    ] = None,
    standby: Annotated[
        bool, typer.Option("--standby", help="wait until no other server holds the database, then take over")
    ] = False,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="a further name under which the server is called")
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", callback=_checked_proxies, help="of a reverse proxy in front of this server"),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=256, help="how many engines may think at a time")] = None,
    open_browser: Annotated[bool, typer.Option("--open", help="open the page in a browser")] = False,
) -> None:
    """Start the web app and print its address. Ctrl-C ends it.

    [bold]Examples[/bold]

    outplay serve --open
    outplay serve --port 9000 --db games.sqlite3
    outplay serve --host 0.0.0.0
    outplay serve --proxy 127.0.0.1 --allow-host games.example.org
    """
    from outplay.web.serve import run
    from outplay.web.settings import DEFAULT_PORT, Settings

    settings = Settings(
        host=host,
        port=DEFAULT_PORT if port is None else port,
        is_port_fixed=port is not None,
        db=db,
        standby=standby,
        allowed_hosts=tuple(allow_host or ()),
        proxies=tuple(proxy or ()),
        slots=workers,
    )
    run(settings, say=typer.echo, open_browser=open_browser)
