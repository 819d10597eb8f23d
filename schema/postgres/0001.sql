-- Version 1. What each table and index is for: docs/decisions/0004-postgres-layout.md.
-- Times are milliseconds since 1970, UTC. `id` is a resource's id everywhere. Every key of what a request touches begins with the
-- account, and nothing counts over all accounts, so that the tables can be split by account.

-- The only clock of decisions (contract K11).
CREATE FUNCTION einmal_now() RETURNS bigint LANGUAGE sql VOLATILE
    AS 'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

-- The database's secret.
CREATE TABLE meta (
    name text PRIMARY KEY,
    value bytea NOT NULL
);

CREATE TABLE accounts (
    account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE
);

CREATE TABLE tokens (
    account_id bigint NOT NULL,
    token_id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    digest bytea NOT NULL UNIQUE,
    scopes text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    PRIMARY KEY (account_id, token_id)
);

-- A tombstone keeps its row, without its body.
CREATE TABLE resources (
    account_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    type text NOT NULL,
    revision bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deleted boolean NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (account_id, id)
);
-- Lists in order of id.
CREATE INDEX resources_by_type ON resources (account_id, type, id) WHERE NOT deleted;
-- Lists with updated_since.
CREATE INDEX resources_by_update ON resources (account_id, type, updated_at, id) WHERE NOT deleted;

-- Superseded states of live resources; the current one is in resources.
CREATE TABLE revisions (
    account_id bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    updated_at bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (account_id, id, revision)
);

-- Which live resources hold an indexed value.
CREATE TABLE member_index (
    account_id bigint NOT NULL,
    digest bytea NOT NULL,
    id text COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, digest, id)
);

-- Which live resource holds a unique value.
CREATE TABLE unique_values (
    account_id bigint NOT NULL,
    digest bytea NOT NULL,
    id text COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, digest)
);

CREATE TABLE records (
    account_id bigint NOT NULL,
    digest bytea NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    type text NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    created_at bigint NOT NULL,
    completed_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    replays bigint NOT NULL,
    PRIMARY KEY (account_id, digest)
);
-- For the cleaner.
CREATE INDEX records_by_expiry ON records (expires_at);

-- The outbox. Commits have no order of their own here; whoever delivers gives it one.
CREATE TABLE events (
    account_id bigint NOT NULL,
    event_id text COLLATE "C" NOT NULL,
    type text NOT NULL,
    id text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    time bigint NOT NULL,
    PRIMARY KEY (account_id, event_id)
);
