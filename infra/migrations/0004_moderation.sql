-- Moderators, what they read, and audits made once a version.

ALTER TABLE players ADD COLUMN moderator boolean NOT NULL DEFAULT false;

-- Every unredacted reading of a running game by a moderator.
CREATE TABLE disclosures (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    moderator uuid NOT NULL,
    table_id uuid NOT NULL,
    after bigint NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX disclosures_table_idx ON disclosures (table_id, at);

-- The outcome of auditing a record up to a version. The record never changes, so neither does this.
CREATE TABLE audits (
    table_id uuid NOT NULL,
    version bigint NOT NULL,
    body json NOT NULL,
    PRIMARY KEY (table_id, version)
);

CREATE TRIGGER disclosures_are_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON disclosures
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

GRANT SELECT, INSERT ON disclosures, audits TO turnkeeper_app;
GRANT USAGE, SELECT ON SEQUENCE disclosures_id_seq TO turnkeeper_app;
