# shellcheck shell=bash
# What the set-up scripts share. Sourced, never run.

PROJECT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TOOLS=$PROJECT/.uv          # uv itself, stamps and logs
VENV=$PROJECT/.venv
HOME=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}
export PROJECT TOOLS VENV HOME

# say TEXT...: one line to the person at the terminal.
say() { printf '%s\n' "$*"; }

# fail CODE TEXT...: a message on stderr, and out.
fail() {
    local code=$1
    shift
    printf '%s\n' "$@" >&2
    exit "$code"
}

# now_ms: milliseconds since the epoch.
now_ms() {
    local now=${EPOCHREALTIME/[.,]/}
    printf '%s' "${now%???}"
}

# took START_MS: seconds since then, with one decimal.
took() {
    local ms=$(($(now_ms) - $1))
    printf '%d.%d s' $((ms / 1000)) $((ms % 1000 / 100))
}

# report WHAT START_MS: the line that closes a step.
report() { printf '  %-58s %9s\n' "$1" "$(took "$2")"; }

# quietly LOG COMMAND...: run with the output in a log file; show its end if the command fails.
quietly() {
    local log=$TOOLS/logs/$1 status=0
    shift
    mkdir -p "$TOOLS/logs"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if [ "$status" -ne 0 ]; then
        say "This failed (exit code $status): $*" >&2
        say "The end of ${log#"$PROJECT"/}:" >&2
        tail -n 25 "$log" | sed 's/^/    /' >&2
    fi
    return "$status"
}

# can_boot: true where the virtual-time kernel can run at all.
can_boot() { [ "$(uname -s)" = Linux ] && [ "$(uname -m)" = x86_64 ]; }

# wants_kernel: true unless the user or the machine leaves only the recorded runs.
wants_kernel() { [ "${LAB_TESTBED:-virtual}" != replay ] && can_boot; }
