"""The terminal app, made with Textual: pages to play, analyse, learn, experiment and open saved games."""
