-- The record: events, commands, secrets, keys, snapshots. Read models and players come in later files.

-- The role every process of the service acts as. It belongs to the whole cluster, so another database's
-- migration may create it at the same moment.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'turnkeeper_app') THEN
        BEGIN
            CREATE ROLE turnkeeper_app NOLOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL;
        END;
    END IF;
    IF NOT pg_has_role(current_user, 'turnkeeper_app', 'MEMBER') THEN
        EXECUTE format('GRANT turnkeeper_app TO %I', current_user);
    END IF;
END $$;

GRANT USAGE ON SCHEMA public TO turnkeeper_app;

-- The event library's own columns. CACHE 1 is essential: a backend that kept numbers in reserve would hand out
-- old ones later, and readers rely on the sequence's last value (see infra/event_store.py).
CREATE SEQUENCE events_notification_id_seq AS bigint CACHE 1;

CREATE TABLE events (
    originator_id uuid NOT NULL,
    originator_version bigint NOT NULL,
    topic text NOT NULL,
    state bytea NOT NULL,
    notification_id bigint NOT NULL DEFAULT nextval('events_notification_id_seq'),
    CONSTRAINT events_pkey PRIMARY KEY (originator_id, originator_version)
) WITH (autovacuum_vacuum_insert_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.02);

ALTER SEQUENCE events_notification_id_seq OWNED BY events.notification_id;

CREATE UNIQUE INDEX events_notification_id_idx ON events (notification_id);

-- The framework's own, rare events (seats, offers, truncations): a table's branches are known without its play.
CREATE INDEX events_desk_idx ON events (originator_id, originator_version) WHERE topic LIKE 'table.%';

-- One row a command: actor and key hashed together, so that neither can be read back from here.
CREATE TABLE commands (
    command_id uuid NOT NULL,
    body_hash uuid NOT NULL,
    table_id uuid,
    first_version bigint NOT NULL,
    version bigint NOT NULL,
    kind text NOT NULL,
    CONSTRAINT commands_pkey PRIMARY KEY (command_id)
);

CREATE TABLE table_secrets (
    table_id uuid PRIMARY KEY,
    server_seed bytea NOT NULL
);

-- Ed25519 keys that sign heads; the newest signs, the older ones verify what they signed.
CREATE TABLE server_keys (
    key_id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    private_key bytea NOT NULL,
    public_key bytea NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- A cache: rows may go at any time. `schema` names the rules and the shape of `state`; another one is not used.
CREATE TABLE snapshots (
    table_id uuid NOT NULL,
    version bigint NOT NULL,
    schema text NOT NULL,
    state bytea NOT NULL,
    PRIMARY KEY (table_id, version)
);

-- 16 fixed partitions of tables. Positions are kept by this number: the function must never change.
CREATE FUNCTION partition_of(table_id uuid) RETURNS int
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN get_byte(uuid_send(table_id), 15) & 15;

-- How far each partition of the events was projected: the event library's tracking columns, one name a partition.
CREATE TABLE positions (
    application_name text PRIMARY KEY,
    notification_id bigint NOT NULL
) WITH (fillfactor = 50);

-- One append in one round trip. The shared lock comes before the first nextval: who reads the sequence and then
-- the lock's holders knows every append that may still be on its way. Nothing here makes appends wait for each
-- other, except two of the same command or the same version.
CREATE FUNCTION append_events(
    ids uuid[], versions bigint[], topics text[], states bytea[],
    command_id uuid, body_hash uuid, table_id uuid, first_version bigint, version bigint, kind text
) RETURNS SETOF bigint
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1953854062, 2);
    IF command_id IS NOT NULL THEN
        INSERT INTO commands VALUES (command_id, body_hash, table_id, first_version, version, kind);
    END IF;
    RETURN QUERY
        INSERT INTO events (originator_id, originator_version, topic, state)
        SELECT e.id, e.version, e.topic, e.state
        FROM unnest(ids, versions, topics, states) WITH ORDINALITY AS e (id, version, topic, state, place)
        ORDER BY e.place
        RETURNING notification_id;
END $$;

-- The last number given out, and then (the order matters) the transactions that append at this moment.
CREATE FUNCTION appends_under_way(OUT last_id bigint, OUT writers text[])
LANGUAGE plpgsql AS $$
BEGIN
    SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END INTO last_id FROM events_notification_id_seq AS s;
    SELECT coalesce(array_agg(l.virtualtransaction), '{}') INTO writers
    FROM pg_locks AS l
    WHERE l.locktype = 'advisory' AND l.classid = 1953854062 AND l.objid = 2 AND l.objsubid = 2 AND l.granted
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database());
END $$;

-- Immutable for real: not even the owner changes the record without taking this trigger away first.
CREATE FUNCTION refuse_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'table % is append-only: % refused', TG_TABLE_NAME, TG_OP
        USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TRIGGER events_are_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER commands_are_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON commands
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE events ENABLE ALWAYS TRIGGER events_are_immutable;
ALTER TABLE commands ENABLE ALWAYS TRIGGER commands_are_immutable;

GRANT SELECT, INSERT ON events, commands, table_secrets, server_keys TO turnkeeper_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON snapshots, positions TO turnkeeper_app;
GRANT USAGE, SELECT ON SEQUENCE events_notification_id_seq, server_keys_key_id_seq TO turnkeeper_app;
GRANT SELECT ON schema_migrations TO turnkeeper_app;
