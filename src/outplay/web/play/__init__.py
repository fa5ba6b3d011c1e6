"""The play page: games in progress, their commands and their sockets."""
