"""The analysis board: positions judged, and games as trees."""
