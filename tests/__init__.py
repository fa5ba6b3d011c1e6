"""The tests, a package so that they can share the oracle and the makers of positions."""
