"""Long builds, planned as jobs: endgame tables, opening books, the weights of the evaluation."""
