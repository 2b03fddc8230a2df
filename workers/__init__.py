"""Background work: bot turns, scoring, sealing, hooks, and the sweep that repeats lost hints."""
