"""The web app: a server over `live` and `store`, and the pages it serves."""
