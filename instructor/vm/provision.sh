#!/usr/bin/env bash
# Turn a clean Debian 12 into the workshop's machine. As root; Vagrant runs it, see Vagrantfile.
#
#   provision.sh --archive FILE [--user NAME] [--port PORT] [--containernet]
#   provision.sh --project FOLDER [...]      for a copy of the project that is there already
#
#   --archive       the project, as `git archive --format=tar.gz` makes it
#   --user          whom JupyterLab belongs to; is created if missing (without it: vagrant)
#   --port          where the browser finds JupyterLab, on the computer that the machine runs on
#   --containernet  also Docker and Containernet
#
# A second run finds everything there and takes seconds; notebooks that somebody has worked in stay.
# It also works in a root file system that is not booted: what needs a running system happens when
# it starts.
set -euo pipefail

SERVICE=data-over-distance.service
SETTINGS=/etc/data-over-distance/jupyter
MODULES=/etc/modules-load.d/data-over-distance.conf
archive=
project=
user=vagrant
port=8890
containernet=

say() { printf '%s\n' "$*"; }
fail() {
    printf '%s\n' "$@" >&2
    exit 2
}
booted() { [ -d /run/systemd/system ]; }
as_user() { (cd "$project" && runuser -u "$user" -- env "HOME=$home" "$@"); }

while [ $# -gt 0 ]; do
    case $1 in
    --archive | --project | --user | --port)
        [ $# -ge 2 ] || fail "$1 needs a value."
        declare "${1#--}=$2"
        shift 2
        ;;
    --containernet) containernet=1 && shift ;;
    *) fail "There is no option '$1': it must be --archive, --project, --user, --port or" \
        "--containernet." ;;
    esac
done

# --- what must be so -----------------------------------------------------------------------------
[ "$(id -u)" -eq 0 ] || fail "Setting up a machine takes an administrator: start it as root."
grep -qs '^12' /etc/debian_version ||
    fail "This is no Debian 12 (bookworm), which the course is made for."
[[ $user =~ ^[a-z][-a-z0-9]*$ && $user != root ]] ||
    fail "The user '$user' is not allowed: an ordinary user's name, in small letters."
[[ $port =~ ^[0-9]{1,5}$ ]] || fail "The port '$port' is not a number."
[ -z "$archive" ] || [ -r "$archive" ] || fail "The archive $archive cannot be read."
[ -n "$archive" ] || [ -d "$project/scripts" ] ||
    fail "Say where the project is: --archive FILE, or --project FOLDER."

# --- the user and the project --------------------------------------------------------------------
id "$user" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$user"
home=$(getent passwd "$user" | cut -d: -f6)
if [ -n "$archive" ]; then
    project=$home/data-over-distance
    mkdir -p "$project"
    # The notebooks may hold somebody's work: only those that are missing are unpacked.
    tar -xzf "$archive" -C "$project" --exclude='labs/*'
    tar -xzf "$archive" -C "$project" --skip-old-files labs
    # `git archive` notes the commit in the head of its file, in the way of `git get-tar-commit-id`.
    commit=$(zcat "$archive" 2>/dev/null | head -c 1024 | grep -aoE -m 1 '[0-9a-f]{40}' || true)
    rm -f "$project/.commit"
    [ -z "$commit" ] || printf '%s\n' "${commit%%$'\n'*}" >"$project/.commit"
    chown -R "$user:" "$project"
fi
project=$(cd "$project" && pwd)
here=$project/instructor/vm
say "Setting up the workshop's machine for $user, in $project"

# --- packages, kernel modules --------------------------------------------------------------------
groups=(base network)
[ "$(uname -m)" != x86_64 ] || groups+=(kernel)
"$project/scripts/install-packages" "${groups[@]}"

install -D -m 644 "$here/modules.conf" "$MODULES"
if booted; then
    missing=()
    while read -r module; do
        case $module in '' | '#'*) continue ;; esac
        modprobe --quiet "$module" 2>/dev/null || missing+=("$module")
    done <"$MODULES"
    [ "${#missing[@]}" -eq 0 ] || say "  This kernel has no module ${missing[*]}."
fi

# --- the environment and the virtual-time kernel, as the user ------------------------------------
# Logs that root has made belong to the user, who will write there.
[ ! -d "$project/.uv" ] || chown -R "$user:" "$project/.uv"
as_user scripts/setup lab
ln -sfn "$project/.venv/bin/lab" /usr/local/bin/lab

# --- Docker hosts --------------------------------------------------------------------------------
if [ -n "$containernet" ]; then
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --quiet --no-install-recommends \
        docker.io python3-docker mmdebstrap git >/dev/null
    "$project/scripts/install-containernet"
fi

# --- JupyterLab when the machine starts ----------------------------------------------------------
mkdir -p "$(dirname "$SETTINGS")"
if [ ! -s "$SETTINGS" ]; then
    token=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')
    install -m 640 -g "$(id -g "$user")" /dev/null "$SETTINGS"
    printf 'JUPYTER_TOKEN=%s\n' "$token" >"$SETTINGS"
    # Without the virtual-time kernel there are the recorded runs, with the parameters they have.
    [ "$(uname -m)" = x86_64 ] ||
        printf 'LAB_TESTBED=replay\nLAB_STUDENT=worked\n' >>"$SETTINGS"
fi
printf '%s\n' "$port" >/etc/data-over-distance/port
install -m 755 "$here/lab-address" /usr/local/bin/lab-address
sed -e "s|@user@|$user|g" -e "s|@project@|$project|g" "$here/$SERVICE" \
    >"/etc/systemd/system/$SERVICE"
# As `systemctl enable` does, which not every root file system has.
mkdir -p /etc/systemd/system/multi-user.target.wants
ln -sfn "/etc/systemd/system/$SERVICE" "/etc/systemd/system/multi-user.target.wants/$SERVICE"
if booted; then
    systemctl daemon-reload
    systemctl restart "$SERVICE"
fi
{ cat "$here/motd" && printf '    ' && lab-address && printf '\n'; } >/etc/motd

# --- does it work? -------------------------------------------------------------------------------
set -a
# shellcheck source=/dev/null
. "$SETTINGS"
set +a
default=${LAB_TESTBED:-virtual}
as_user .venv/bin/lab doctor --testbed "$default"
if booted; then
    "$project/.venv/bin/lab" doctor --testbed mininet ||
        say "  Live networks in real time (mininet) do not work here; everything else does."
fi
cat /etc/motd
