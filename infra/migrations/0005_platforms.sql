-- Platforms that bring players of their own, and tickets for streams of clients that can send no header.

CREATE TABLE platforms (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    secret_hash bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
);

ALTER TABLE players ADD COLUMN platform_id uuid REFERENCES platforms;

-- Used once, within seconds. Only the hash is stored.
CREATE TABLE stream_tickets (
    ticket_hash bytea PRIMARY KEY,
    player_id uuid NOT NULL REFERENCES players,
    expires_at timestamptz NOT NULL
);
CREATE INDEX stream_tickets_expiry_idx ON stream_tickets (expires_at);

GRANT SELECT, INSERT ON platforms TO turnkeeper_app;
GRANT SELECT, INSERT, DELETE ON stream_tickets TO turnkeeper_app;
