"""Long builds, planned as jobs: endgame tables, opening books, evaluation weights, data sets and puzzles."""
