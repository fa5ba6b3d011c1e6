"""The layer between the network and the pages: security, limits, errors, connections, static files."""
