"""The analysis board: analysed positions, and games as trees."""
