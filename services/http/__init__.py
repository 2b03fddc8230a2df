"""The HTTP interface: Flask over the use cases. Routes load, call one use case and dump; nothing is decided here."""
