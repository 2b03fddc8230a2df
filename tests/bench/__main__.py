"""`make bench`: every figure that `docs/scaling.md` gives, as Markdown tables. `QUICK=1`: a short run; `ONLY="loads
http"`: some of them. All servers are its own; what else the machine does meanwhile spoils the figures.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from infra.embedded import claimed, start_postgres
from infra.migrate import migrate
from tests.bench import appends, engine, history, over_http, records


@contextmanager
def database() -> Iterator[str]:
    """A durable PostgreSQL with a migrated database."""
    with tempfile.TemporaryDirectory(prefix="turnkeeper-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o711)
        with claimed(folder / "data") as data:
            server = start_postgres(data)
            try:
                migrate(server.url)
                yield server.url
            finally:
                server.stop()


def another(url: str, name: str) -> str:
    """One more migrated database on the same server."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}".encode())
    made = re.sub(r"^(\w+://[^/?]*)/[^?]*", rf"\1/{name}", url)
    migrate(made)
    return made


def main() -> int:
    wanted = os.environ.get("ONLY", "engine appends loads history catchup http").split()
    with database() as url:
        if "appends" in wanted:
            appends.bench(another(url, "appends"))
        if "loads" in wanted:
            records.bench_loads(another(url, "loads"))
        if "history" in wanted:
            history.bench(another(url, "history"))
        if "catchup" in wanted:
            records.bench_catch_up(another(url, "catchup"))
    if "http" in wanted:
        over_http.bench()
    if "engine" in wanted:
        engine.bench()
    return 0


if __name__ == "__main__":
    sys.exit(main())
