"""`outplay serve`: the web app."""

from __future__ import annotations

import ipaddress
import socket
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer


def _checked_addresses(addresses: list[str] | None) -> list[str] | None:
    """Refuse a text that is not an address: the server trusts a proxy, so its address must be exact."""
    for address in addresses or ():
        try:
            ipaddress.ip_network(address)
        except ValueError:
            raise typer.BadParameter(f"{address!r} is not an IP address") from None
    return addresses


def _checked_path(text: str) -> str:
    """Return the sub-path in its usual form, or refuse it."""
    from outplay.web.http.subpath import checked_root_path

    try:
        return checked_root_path(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port to listen on; 0: any free one. Default: 8642, or the next free one."),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            help="Where games are saved: a path for SQLite, a postgresql:// URL, or memory. "
            "Default: a file in your data folder.",
        ),
    ] = None,
    standby: Annotated[
        bool,
        typer.Option(
            "--standby", help="Wait until no other server uses the database, then take over. Default: refuse to start."
        ),
    ] = False,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Another host name of the server; may be repeated. Default: none."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            callback=_checked_addresses,
            help="Address of a reverse proxy in front of this server; may be repeated. Default: none.",
        ),
    ] = None,
    root_path: Annotated[
        str,
        typer.Option(
            metavar="PATH",
            help="Path under which a proxy shows the server: /outplay for https://school.example/outplay/. "
            "Default: none.",
        ),
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Number of engines that may think at a time. Default: one per core."),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Dask scheduler whose workers run the engines; local starts one. Default: processes of this machine.",
        ),
    ] = None,
    lessons: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Lessons of your own, shown after those that come with outplay. Default: none."
        ),
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE.py:FUNCTION",
            help="A bot that everyone may play against, in a sandbox; may be repeated. Also cmd:COMMAND and "
            "hub:COMMAND. Default: none.",
        ),
    ] = None,
    most_games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Largest number of saved games. Default: no limit; 200,000 if others can reach the server.",
        ),
    ] = None,
    most_pages: Annotated[int | None, typer.Option(min=1, help="Largest number of open pages. Default: 2,000.")] = None,
    most_pages_each: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Largest number of open pages of one person. Default: 2,000; 20 if others can reach the server.",
        ),
    ] = None,
    limits: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="TOML file whose table 'limits' sets any limit by name. Default: none."),
    ] = None,
    metrics_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            callback=_checked_addresses,
            help="Address or network that may read /metrics; may be repeated. Default: only this machine.",
        ),
    ] = None,
    log: Annotated[
        Literal["text", "json"], typer.Option(help="Form of the log on standard error: lines of text, or JSON objects.")
    ] = "text",
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser. Default: only print its address.")
    ] = False,
) -> None:
    """Start the web app and print its address. Ctrl-C ends it, with exit code 0.

    [bold]Examples[/bold]

    outplay serve --open
    outplay serve --port 9000 --db games.sqlite3
    outplay serve --host 0.0.0.0
    outplay serve --proxy 127.0.0.1 --allow-host games.example.org
    outplay serve --cluster tcp://10.0.0.1:8786
    outplay serve --bot bots/first.py:choose --bot bots/second.py
    """
    if cluster not in (None, "local") and workers is not None:
        raise typer.BadParameter(
            "--workers is for this machine: a cluster brings its own workers", param_hint="--workers"
        )
    if cluster not in (None, "local") and bot:
        raise typer.BadParameter(
            "bots are files of this machine, and the machines of a cluster do not have them", param_hint="--bot"
        )
    from outplay.engine.sandbox import find_sandbox
    from outplay.web.bots import find_bots
    from outplay.web.serve import run
    from outplay.web.settings import DEFAULT_PORT, Settings, limits_from

    settings = Settings(
        host=host,
        port=DEFAULT_PORT if port is None else port,
        is_port_fixed=port is not None,
        db=db,
        standby=standby,
        allowed_hosts=tuple(allow_host or ()),
        proxies=tuple(proxy or ()),
        root_path=_checked_path(root_path),
        slots=workers,
        bots=find_bots(bot, find_sandbox()) if bot else (),
        cluster=cluster,
        lessons=lessons,
        metrics_hosts=tuple(metrics_host or ()),
        log=log,
    )
    chosen = {"saved_games": most_games, "sockets": most_pages, "sockets_per_client": most_pages_each}
    given = {**_table(limits), **{name: value for name, value in chosen.items() if value is not None}}
    if given:
        settings = replace(settings, limits=limits_from(given, settings.bounds))
    try:
        run(settings, say=typer.echo, open_browser=open_browser)
    except socket.gaierror as error:
        raise typer.BadParameter(f"{host!r} is not an address of this machine", param_hint="--host") from error


def _table(file: Path | None) -> dict[str, Any]:
    """Return the table [limits] of a settings file."""
    if file is None:
        return {}
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{file} is not TOML: {error}") from None
    others = [name for name in found if name != "limits"]
    if others or not isinstance(found.get("limits", {}), dict):
        raise ValueError(f"{file} must have only a table [limits], not {', '.join(others) or 'a single value limits'}")
    table: dict[str, Any] = found.get("limits", {})
    return table
