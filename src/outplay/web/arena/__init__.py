"""The arena: tournaments of levels, engines and bots, played on the server while people watch."""
