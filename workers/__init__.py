"""Celery workers: they re-read a table, do what its record wants, and may be run twice or die at any point."""
