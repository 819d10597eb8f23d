#!/bin/bash
# Does the story in a document happen as it is told? Every block of commands (```sh) that is followed by a block of output
# (```text) is run, in one shell, beside a server that was started for it; the output must be the one shown. Before the
# comparison ids and times become `…` on both sides, because they differ on every run; nothing else may differ.
#   story_test.sh <program> <document>
set -euo pipefail
program=$1 document=$2
work=$(mktemp -d)
cd "$work"
"$program" serve --listen 127.0.0.1:0 >ready 2>log &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" || true; rm -rf "$work"' EXIT
for _ in $(seq 200); do
    [[ -s ready ]] && break
    sleep 0.05
done
address=$(grep -oE '127\.0\.0\.1:[0-9]+' ready) || { cat log; exit 1; }

# Blocks become files: 1.sh, 1.text, 2.sh, …; a command block without output behind it is for another terminal.
awk '
    /^```sh$/   { kind = "sh"; held = ""; next }
    /^```text$/ { if (held != "") { n++; printf "%s", held > (n ".sh"); kind = "text"; printf "" > (n ".text"); next } }
    /^```/      { kind = ""; next }
    kind == "sh"   { held = held $0 "\n"; next }
    kind == "text" { print > (n ".text"); held = ""; next }
    /[^ ]/      { held = "" }
' "$document"

loosely() { sed -E 's/(con|com|tsk|doc|chg)_[0-9A-Za-z]{22}/\1_…/g; s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z/…/g'; }

blocks=$(ls ./*.text | wc -l)
((blocks >= 4)) || { echo "only $blocks blocks were found in $document"; exit 1; }
failed=0
for ((n = 1; n <= blocks; n++)); do
    sed -i "s/127\.0\.0\.1:8080/$address/g" "$n.sh"
    # In this shell, so that a function defined in one block is there in the next, as in a reader's terminal.
    source "./$n.sh" >"$n.out" 2>&1 </dev/null || true
    if ! diff <(loosely <"$n.text") <(loosely <"$n.out"); then
        echo "^ block $n of the story: < as told, > as it happened"
        cat "$n.sh"
        failed=1
    fi
done
echo "$blocks blocks told and run"
exit $failed
