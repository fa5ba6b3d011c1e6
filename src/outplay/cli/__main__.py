"""`python -m outplay.cli` is the same as `outplay`."""

from outplay.cli import main

main()
