"""The command line. `main` is what the command `outplay` runs."""


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    import io
    import sys

    from outplay.cli.app import app

    for stream in (sys.stdout, sys.stderr):  # a name that the terminal cannot show must not end the command
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except KeyboardInterrupt:  # before a command had begun
        print("outplay: interrupted", file=sys.stderr)
        sys.exit(130)
