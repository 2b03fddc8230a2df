"""Everything that touches the machine: settings, database, event store, broker, logs, processes.

No game knowledge and no use case lives here.
"""
