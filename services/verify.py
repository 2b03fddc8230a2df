"""`make verify FILE=export.ndjson [KEY=hex]`: checks an exported record offline, by nothing but the file.

With KEY the head must be signed by that server's public key; without it, by the key that the file names.
"""

from __future__ import annotations

import sys
from pathlib import Path

from domain.registry import GAMES
from infra.archive import BadArchive, parse, verify
from services.records import summary


def main(file: str, key: str = "") -> int:
    """Print every check; returns the exit status, 1 for a record that is not true."""
    try:
        content = Path(file).read_bytes()
    except OSError as failure:
        print(f"FAILED {file or 'no file named'}: {failure.strerror}")
        return 1
    try:
        archive = parse(content, GAMES)
        if key and not archive.is_signed_by(key):
            raise BadArchive(1, "signature", "is not the given key's signature of this head")
        found = verify(archive, GAMES)
    except BadArchive as failure:
        print(f"FAILED {failure}")
        return 1
    print(*summary(found), f"ok     signature: by {archive.key}", sep="\n")
    print(f"table {archive.table}, {len(archive.events)} events, head {found.head}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
