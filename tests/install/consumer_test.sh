#!/bin/bash
# Can somebody else's program use the library? Takes program and CMake file out of docs/embedding.md, builds them against
# an installed Einmal (find_package) or against its source (add_subdirectory), and runs the program twice.
#   consumer_test.sh find_package|add_subdirectory <source> <build>
set -euo pipefail
way=$1 source=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fenced <language>: the one block of this language in the documentation
fenced() { awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/embedding.md"; }
fenced cpp >"$work/main.cpp"
fenced cmake >"$work/CMakeLists.txt"

settings=(-G Ninja -DCMAKE_CXX_FLAGS=-O0)
case $way in
    find_package)
        cmake --install "$build" --prefix "$work/installed" >"$work/log" || { cat "$work/log"; exit 1; }
        settings+=("-DCMAKE_PREFIX_PATH=$work/installed")
        ;;
    add_subdirectory)
        sed -i "s#^find_package(einmal.*#add_subdirectory(\"$source\" einmal EXCLUDE_FROM_ALL)#" "$work/CMakeLists.txt"
        grep -q add_subdirectory "$work/CMakeLists.txt"
        ;;
esac
cmake -S "$work" -B "$work/build" "${settings[@]}" >"$work/log" || { cat "$work/log"; exit 1; }
cmake --build "$work/build" --target shop >"$work/log" || { cat "$work/log"; exit 1; }

cd "$work"
build/shop | tee first
build/shop | tee second
id=$(grep -oE 'chg_[0-9A-Za-z]{22}' first | head -n 1)
diff first <(printf 'executed %s r1\nreplayed %s r1\n' "$id" "$id")
diff second <(printf 'replayed %s r1\nreplayed %s r1\n' "$id" "$id")

if [[ $way == find_package ]]; then
    [[ $("$work/installed/bin/einmal" version) == "einmal "* ]]
fi
