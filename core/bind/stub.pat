# Names that the signatures in this folder use and that live in Python, for nanobind's stub generator.
__prefix__:
    \from outplay.outcome import Outcome, Side
