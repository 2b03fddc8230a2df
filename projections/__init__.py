"""The follower and the read models it derives from the event log."""
