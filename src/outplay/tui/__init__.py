"""The app in a terminal, with Textual: both games, analysis, lessons, the lab and the library."""
