"""Play in a plain terminal: questions and answers, line by line, at a keyboard or through pipes."""
