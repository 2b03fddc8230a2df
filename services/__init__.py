"""Use cases: what players, moderators and auditors can do; the HTTP interface lies in `http`."""
