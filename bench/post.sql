-- For pgbench: the rows of one fresh POST /v1/contacts in one statement, which is one transaction, as the server writes
-- them. Digests and ids are random, as the server's are; pgbench itself makes the numbers.
\set key_a random(0, 9000000000000000000)
\set key_b random(0, 9000000000000000000)
\set value_a random(0, 9000000000000000000)
\set value_b random(0, 9000000000000000000)
WITH clock AS MATERIALIZED (
    SELECT einmal_now() AS now
),
claimed AS (
    INSERT INTO records (account_id, digest, fingerprint, status, type, id, revision, created_at, completed_at, expires_at, replays)
    SELECT 1, int8send(:key_a) || int8send(:key_b), int8send(:key_b) || int8send(:key_a) || int8send(:key_a) || int8send(:key_b),
        201, 'contacts', 'con_' || to_hex(now) || to_hex(:key_a::bigint), 1, now, now, now + 86400000, 0
    FROM clock WHERE EXISTS (SELECT 1 FROM tokens WHERE account_id = 1 AND token_id = 1 AND revoked_at IS NULL)
    ON CONFLICT (account_id, digest) DO UPDATE SET id = EXCLUDED.id WHERE records.expires_at <= EXCLUDED.completed_at
    RETURNING id, created_at
),
made AS (
    INSERT INTO resources (account_id, id, type, revision, created_at, updated_at, deleted, body)
    SELECT 1, id, 'contacts', 1, created_at, created_at, false,
        '{"custom":{"source":"fair"},"email":"ada@example.org","name":"Ada Lovelace","phone":"+49 30 1234567","tags":["customer","berlin"]}'
    FROM claimed
),
indexed AS (
    INSERT INTO member_index (account_id, digest, id)
    SELECT 1, int8send(:value_a) || int8send(:value_b), id FROM claimed
),
told AS (
    INSERT INTO events (account_id, event_id, type, id, revision, time)
    SELECT 1, 'evt_' || to_hex(created_at) || to_hex(:key_b::bigint), 'contacts.created', id, 1, created_at FROM claimed
)
SELECT id FROM claimed;
