"""A folder a game, each with the same files. `domain/registry.py` lists the games that are played."""
