"""Long builds, planned as jobs of the runner: `tables` for endgame tables."""
