# `post --store postgres`: sourced by bench/run. Every database is a new one on a throw-away PostgreSQL, with fsync on.

pg_programs() { ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1; }

# as_servant COMMAND…: PostgreSQL refuses to run as root.
as_servant() {
    if ((EUID == 0)); then setpriv --reuid postgres --regid postgres --clear-groups "$@"; else "$@"; fi
}

# A port that nobody listens on at this moment.
free_port() {
    local port
    for port in $(shuf -i 20000-32000 -n 50); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

start_postgres() {
    local programs
    programs=$(pg_programs)
    chmod 711 "$work"
    mkdir "$work/postgres"
    ((EUID != 0)) || chown postgres "$work/postgres"
    as_servant "$programs/initdb" --pgdata "$work/postgres/data" --username einmal --auth trust --encoding UTF8 \
        --locale C >"$work/initdb.log"
    pg_port=$(free_port)
    as_servant "$programs/postgres" -D "$work/postgres/data" -p "$pg_port" -k "$work/postgres" \
        -c listen_addresses=127.0.0.1 -c max_wal_size=4GB -c shared_buffers=512MB >"$work/postgres.log" 2>&1 &
    pids+=($!)
    for _ in {1..100}; do "$programs/pg_isready" -q -h 127.0.0.1 -p "$pg_port" && return; sleep 0.1; done
    echo "PostgreSQL did not start:" >&2
    cat "$work/initdb.log" "$work/postgres.log" >&2
    exit 1
}

# fresh_store: an empty store, its address in $store, its token in $token.
fresh_store() {
    databases=$((${databases:-0} + 1))
    psql -q -h 127.0.0.1 -p "$pg_port" -U einmal postgres -c "CREATE DATABASE bench$databases"
    store="postgres://einmal@127.0.0.1:$pg_port/bench$databases"
    token=$("$bin/src/cli/einmal" token create --store "$store" --account default --scopes '*')
}

# serve_postgres NAME: one more server on $store; its port in $port.
serve_postgres() {
    "$bin/src/cli/einmal" serve --listen 127.0.0.1:0 --store "$store" >"$work/ready-$1" 2>"$work/log-$1" &
    pids+=($!)
    for _ in {1..100}; do [[ -s $work/ready-$1 ]] && break; sleep 0.05; done
    port=$(sed 's/.*://' "$work/ready-$1")
}

# measure_postgres CONNECTIONS SERVERS: $rate and $p99 of that many servers, each with its share of the connections.
measure_postgres() {
    local connections=$1 servers=$2 number ports=() loads=()
    fresh_store
    for ((number = 1; number <= servers; ++number)); do
        serve_postgres "$connections-$servers-$number"
        ports+=("$port")
    done
    for number in "${!ports[@]}"; do
        load "${ports[number]}" "$((connections / servers))" 2 "$token" "warm$number-" >/dev/null
    done
    for number in "${!ports[@]}"; do
        load "${ports[number]}" "$((connections / servers))" "$seconds" "$token" "run$number-" >"$work/load-$number" &
        loads+=($!)
    done
    wait "${loads[@]}"
    read -r rate p99 refused < <(for number in "${!ports[@]}"; do cat "$work/load-$number"; done |
        awk '{rate += $1; if ($3 > p99) p99 = $3; refused += $4 + $5} END {print rate, p99, refused}')
    for ((number = 1; number <= servers; ++number)); do stop_last; done
}

measure_pgbench() {
    fresh_store
    local run=(pgbench -h 127.0.0.1 -p "$pg_port" -U einmal -n -M prepared -f bench/post.sql -c "$1" -j 1)
    "${run[@]}" -T 2 "bench$databases" >/dev/null
    peer=$("${run[@]}" -T "$seconds" "bench$databases" | awk '/^tps/ {printf "%.0f", $3}')
}

bench_post_postgres() {
    seconds=${1:-8}
    build einmal
    # Where another user may go, and where a sync is a real one.
    work=$(mktemp -d "${2:-/var/tmp}/einmal-bench.XXXXXX")
    echo "a synced write of 4 KiB there: $(synced_write_ms) ms"
    start_postgres
    echo "machine: $(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -1), Linux $(uname -r); PostgreSQL $(psql -h 127.0.0.1 -p "$pg_port" -U einmal postgres -tAc 'SHOW server_version'); load from the same cores"
    echo
    echo "| connections | one server POST/s | p99 ms | two servers POST/s | p99 ms | pgbench, one CTE/s | one server / pgbench | two servers / pgbench | not 2xx or broken |"
    echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    local connections
    for connections in 2 16 64; do
        measure_postgres "$connections" 1
        local one=$rate one_p99=$p99 bad=$refused
        measure_postgres "$connections" 2
        measure_pgbench "$connections"
        echo "| $connections | $one | $one_p99 | $rate | $p99 | $peer | $(awk "BEGIN {printf \"%.2f | %.2f\", $one / $peer, $rate / $peer}") | $((bad + refused)) |"
    done
}
