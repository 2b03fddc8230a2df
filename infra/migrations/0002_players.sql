-- Players and what must be erasable: names, tokens, invitation codes. The record knows players by id only.

CREATE TABLE players (
    id uuid PRIMARY KEY,
    name text,
    created_at timestamptz NOT NULL,
    erased_at timestamptz
);

-- Only hashes (SHA-256) of tokens are stored; a player has one at a time.
CREATE TABLE tokens (
    token_hash bytea PRIMARY KEY,
    player_id uuid NOT NULL UNIQUE REFERENCES players,
    created_at timestamptz NOT NULL
);

CREATE TABLE invitations (
    table_id uuid PRIMARY KEY,
    code text NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON players, tokens, invitations TO turnkeeper_app;
