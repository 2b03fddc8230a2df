-- Read models: derived from the record by the follower alone, dropped and rebuilt at will. Times are those of events.

-- A table as everybody may see it. `body` is the table resource with players' ids, not names.
CREATE TABLE lobby (
    table_id uuid PRIMARY KEY,
    game text NOT NULL,
    status text NOT NULL,
    private boolean NOT NULL,
    sealed boolean NOT NULL,
    players uuid[] NOT NULL,        -- by seat; null where no person sits
    insiders uuid[] NOT NULL,       -- who may see it if it is private, and hand out its invitation
    gone uuid[] NOT NULL,           -- who once had a seat, and may still see it
    waits_for uuid[] NOT NULL,      -- players that must act
    waits_since timestamptz NOT NULL,
    holder smallint,                -- the seat with provisional steps: it alone reads beyond `public_upto`
    public_upto bigint NOT NULL,    -- the log's last version that everybody may see
    version bigint NOT NULL,        -- visible play version
    revision bigint NOT NULL,       -- of the desk
    recorded bigint NOT NULL,       -- newest event of any kind that the rows of this table contain
    body json NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX lobby_listed_idx ON lobby (created_at DESC, table_id DESC);
CREATE INDEX lobby_status_idx ON lobby (status, created_at DESC, table_id DESC);
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
) WITH (fillfactor = 60);

-- One row an event. `entries` maps viewers ("public", "0", "1" …) to what they may read of it while the game runs;
-- a viewer without an entry of its own reads the public one. `whole`: the data once nothing is redacted any more,
-- null if it is the public one. `private_to`: the seat whose provisional step this is, or whose going back and
-- forth over such steps; null from the barrier on that made it public.
CREATE TABLE log (
    table_id uuid NOT NULL,
    version bigint NOT NULL,
    desk boolean NOT NULL,
    private_to smallint,
    truncated_by bigint,
    entries json NOT NULL,
    whole json,
    PRIMARY KEY (table_id, version)
) WITH (fillfactor = 80);

-- What is to be done: a row is there exactly while the record wants it. `seat` is -1 where none is meant.
CREATE TABLE work (
    table_id uuid NOT NULL,
    kind text NOT NULL,
    seat smallint NOT NULL,
    version bigint NOT NULL,
    due timestamptz NOT NULL,
    PRIMARY KEY (table_id, kind, seat)
);
CREATE INDEX work_due_idx ON work (due);

-- Scored games, one row a seat. `counted`: false if the table was casual or something was taken back.
CREATE TABLE results (
    table_id uuid NOT NULL,
    seat smallint NOT NULL,
    game text NOT NULL,
    player uuid,
    bot text,
    team smallint,
    total int NOT NULL,
    rank int NOT NULL,
    breakdown json NOT NULL,
    tie_break text,
    reason text NOT NULL,
    counted boolean NOT NULL,
    scored_at timestamptz NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX results_player_idx ON results (player, scored_at DESC, table_id);

-- Tables whose record can't be projected from `version` on: their rows stay at what came before, others go on.
CREATE TABLE broken (
    table_id uuid PRIMARY KEY,
    version bigint NOT NULL,
    error text NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON lobby, views, log, work, results, broken TO turnkeeper_app;
