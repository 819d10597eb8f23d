# `expiry`: sourced by bench/run. What cleaning costs the writes: p99 of POST on a store with millions of records, a part of
# them expired, with the cleaner at work and without it.

sqlite_with_records() {
    store="sqlite:$work/einmal-$1.db"
    local file=$work/einmal-$1.db now
    now=$(($(date +%s) * 1000))
    token=$("$bin/src/cli/einmal" token create --store "$store" --account default --scopes '*')
    # Oldest first, as they would have been completed; the lower layer of the key index holds them all.
    sqlite3 "$file" >/dev/null <<SQL
PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; PRAGMA wal_autocheckpoint = 100000;
BEGIN;
INSERT OR IGNORE INTO types (type_id, name) VALUES (1, 'contacts');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $live + $expired)
INSERT INTO records SELECT i, 1, randomblob(16), randomblob(32), 201, 1, 'con_' || printf('%022d', i), 1, $now - 86400000, $now - 86400000,
    CASE WHEN i <= $expired THEN $expiry ELSE $now + 86400000 + i END, 0 FROM n;
INSERT INTO key_index SELECT digest, record_id FROM records ORDER BY digest;
INSERT OR REPLACE INTO meta VALUES ('key_watermark', $live + $expired);
COMMIT;
PRAGMA wal_checkpoint(TRUNCATE);
SQL
}

postgres_with_records() {
    fresh_store
    psql -q -h 127.0.0.1 -p "$pg_port" -U einmal "bench$databases" >/dev/null <<SQL
SET synchronous_commit = off; SET maintenance_work_mem = '1GB';
ALTER TABLE records DROP CONSTRAINT records_pkey;
DROP INDEX records_by_expiry;
INSERT INTO records SELECT 1, decode(md5(i::text), 'hex'), decode(md5(i::text) || md5('f' || i), 'hex'), 201, 'contacts', 'con_' || lpad(i::text, 22, '0'), 1,
    einmal_now() - 86400000, einmal_now() - 86400000, CASE WHEN i <= $expired THEN $expiry ELSE einmal_now() + 86400000 + i END, 0
    FROM generate_series(1, $live + $expired) AS i;
ALTER TABLE records ADD PRIMARY KEY (account_id, digest);
CREATE INDEX records_by_expiry ON records (expires_at);
VACUUM ANALYZE records;
CHECKPOINT;
SQL
}

# left: records that have expired and are still there.
left() {
    case $store in
        sqlite:*) sqlite3 "${store#sqlite:}" "SELECT count(*) FROM records WHERE expires_at <= $expiry" ;;
        *) psql -tA -h 127.0.0.1 -p "$pg_port" -U einmal "bench$databases" -c "SELECT count(*) FROM records WHERE expires_at <= $expiry" ;;
    esac
}

# One server, always with its cleaner: first nothing has expired, then a million at once.
measure_cleaning() {
    "$bin/src/cli/einmal" serve --listen 127.0.0.1:0 --store "$store" >"$work/ready-$1" 2>"$work/log-$1" &
    pids+=($!)
    for _ in {1..600}; do [[ -s $work/ready-$1 ]] && break; sleep 0.1; done
    port=$(sed 's/.*://' "$work/ready-$1")
    # Load until shortly before, so that whatever the stores do now and then is under way in both measurements.
    local warm=$((expiry / 1000 - seconds - 3 - $(date +%s)))
    ((warm > 0)) || { echo "filling $1 took too long: the records expired meanwhile" >&2; exit 1; }
    load "$port" 16 "$warm" "$token" warm- >/dev/null
    before=($(load "$port" 16 "$seconds" "$token" before-))
    while (($(date +%s%3N) < expiry)); do sleep 0.05; done
    after=($(load "$port" 16 "$seconds" "$token" after-))
    remaining=$(left)
    stop_last
}

bench_expiry() {
    seconds=${1:-8} live=${2:-10000000} expired=${3:-1000000}
    build einmal
    work=$(mktemp -d /var/tmp/einmal-bench.XXXXXX)
    echo "a synced write of 4 KiB there: $(synced_write_ms) ms; $live records in force, $expired expire at once; 16 connections"
    echo
    echo "| store | POST/s before | p99 ms | POST/s while cleaning | p99 ms | removed in $seconds s | p99 while / before | not 2xx or broken |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- |"
    local kind
    for kind in sqlite postgres; do
        [[ $kind == sqlite ]] || start_postgres
        # Filling takes a minute or more for ten million.
        expiry=$((($(date +%s) + 40 + (live + expired) / 140000) * 1000))
        "${kind}_with_records" expiry
        measure_cleaning "$kind"
        echo "| $kind | ${before[0]} | ${before[2]} | ${after[0]} | ${after[2]} | $((expired - remaining)) | $(awk "BEGIN {printf \"%.2f\", ${after[2]} / ${before[2]}}") | $((before[3] + before[4] + after[3] + after[4])) |"
    done
}
