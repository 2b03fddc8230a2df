-- Read models: derived from the record by the follower alone, dropped and rebuilt at will.

-- The lobby: a table as everybody may see it. `body` is the table resource with players' ids, not names.
CREATE TABLE lobby (
    table_id uuid PRIMARY KEY,
    game text NOT NULL,
    status text NOT NULL,
    private boolean NOT NULL,
    sealed boolean NOT NULL,
    players uuid[] NOT NULL,
    waits_for uuid[] NOT NULL,
    version bigint NOT NULL,
    recorded bigint NOT NULL,
    body jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX lobby_listed_idx ON lobby (created_at DESC, table_id);
CREATE INDEX lobby_players_idx ON lobby USING gin (players);
CREATE INDEX lobby_waits_idx ON lobby USING gin (waits_for);

-- One row a viewer: a seat's number, or -1 for the public. `body` is the answer of GET view, byte for byte.
CREATE TABLE views (
    table_id uuid NOT NULL,
    viewer smallint NOT NULL,
    version bigint NOT NULL,
    revision bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (table_id, viewer)
);

-- One row an event. `entries` maps viewers ("public", "0", "1" …) to what they may read of it while the game runs;
-- a viewer without an entry of its own reads the public one. `whole` is read once the record is sealed.
CREATE TABLE log (
    table_id uuid NOT NULL,
    version bigint NOT NULL,
    seat smallint,
    truncated_by bigint,
    entries jsonb NOT NULL,
    whole jsonb NOT NULL,
    PRIMARY KEY (table_id, version)
);

-- What is to be done: a row is there exactly while the record wants it.
CREATE TABLE work (
    table_id uuid NOT NULL,
    kind text NOT NULL,
    seat smallint NOT NULL,
    version bigint NOT NULL,
    due timestamptz NOT NULL,
    PRIMARY KEY (table_id, kind, seat)
);
CREATE INDEX work_due_idx ON work (due);

-- Scored games, one row a seat.
CREATE TABLE results (
    table_id uuid NOT NULL,
    seat smallint NOT NULL,
    game text NOT NULL,
    player uuid,
    bot text,
    team smallint,
    total int NOT NULL,
    rank int NOT NULL,
    breakdown jsonb NOT NULL,
    tie_break text,
    reason text NOT NULL,
    counted boolean NOT NULL,
    ended_at timestamptz NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX results_player_idx ON results (player, ended_at DESC);

GRANT SELECT, INSERT, UPDATE, DELETE ON lobby, views, log, work, results TO turnkeeper_app;
