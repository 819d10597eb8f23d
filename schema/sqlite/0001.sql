-- Version 1. What each table and index costs a write, and why it is there: docs/decisions/0002-sqlite-layout.md.
-- Times are milliseconds since 1970, UTC. `id` is a resource's id everywhere.

-- The database's secret (a blob) and a few numbers the store keeps about itself.
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    account_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE tokens (
    token_id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

-- Names of resource types, so that a row names its type in one byte.
CREATE TABLE types (
    type_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
) STRICT;

-- What the ids of a type begin with: the range of resources_by_id in which they lie.
CREATE TABLE type_prefixes (
    type_id INTEGER NOT NULL,
    prefix TEXT NOT NULL,
    PRIMARY KEY (type_id, prefix)
) STRICT, WITHOUT ROWID;

-- Appended in the order of creation; a tombstone keeps its row, without its body.
CREATE TABLE resources (
    resource_row INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    type_id INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
-- By id, and lists in order of id. Tombstones lie apart, so that a list never walks over them.
CREATE UNIQUE INDEX resources_by_id ON resources (account_id, deleted, id);
-- Lists with updated_since.
CREATE INDEX resources_by_update ON resources (account_id, type_id, updated_at, id) WHERE deleted = 0;

-- Superseded states of live resources; the current one is in resources.
CREATE TABLE revisions (
    account_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (account_id, id, revision)
) STRICT, WITHOUT ROWID;

-- Which live resources hold an indexed value: the lower layer (store/sqlite_member_index.hpp). Digests come first, so that
-- the upper layer comes down in their order.
CREATE TABLE member_index (
    digest BLOB NOT NULL,
    account_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (digest, account_id, id)
) STRICT, WITHOUT ROWID;

-- The upper layer: values taken and given up, appended in the order in which that happened. Its last word on a value and
-- a resource overrules member_index.
CREATE TABLE member_changes (
    change_id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL,
    account_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    held INTEGER NOT NULL
) STRICT;

-- Which live resource holds a unique value.
CREATE TABLE unique_values (
    account_id INTEGER NOT NULL,
    digest BLOB NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (account_id, digest)
) STRICT, WITHOUT ROWID;

-- Appended in the order of completion; found through key_index and the store's memory.
CREATE TABLE records (
    record_id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    digest BLOB NOT NULL,
    fingerprint BLOB NOT NULL,
    status INTEGER NOT NULL,
    type_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    completed_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    replays INTEGER NOT NULL
) STRICT;

-- The lower layer of the key index: records up to meta's key_watermark are in it (store/sqlite_key_index.hpp).
CREATE TABLE key_index (
    digest BLOB PRIMARY KEY,
    record_id INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The outbox, in the order of the commits.
CREATE TABLE events (
    event_row INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL,
    event_id TEXT NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    time INTEGER NOT NULL
) STRICT;
