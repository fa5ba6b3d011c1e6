"""The app in a terminal, with Textual: one page, on which both games are played."""
