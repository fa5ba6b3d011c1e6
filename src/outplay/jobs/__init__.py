"""Long builds, planned as jobs of the runner: endgame tables, opening books, the weights of the evaluation."""
