"""What starts the agent on a host: one shell command, then everything it needs on its input."""

import json
import shlex
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
_HOST_PROGRAMS = _HERE.parents[1] / "host"
_OLDEST_PYTHON = "3.9"

#: Exit codes of the shell command: what the host lacks, and the remedy.
REFUSALS = {
    91: ("has no python3.", "as root on {host}, run: apt-get install python3"),
    92: (
        "does not let the account run python3 as root without a password.",
        "the operator puts this line into /etc/sudoers.d/data-over-distance on {host}: "
        "{user} ALL=(root) NOPASSWD: /usr/bin/python3",
    ),
    93: (
        f"has a python3 older than {_OLDEST_PYTHON}.",
        f"install Python {_OLDEST_PYTHON} or later on {{host}} as python3",
    ),
}

# Reads the files from standard input, exactly so many bytes, and leaves the rest to the agent.
_START = """
import json, os, shutil, sys, tempfile
if sys.version_info < (3, 9):
    sys.exit(93)
size, data = int(sys.argv[1]), b""
while len(data) < size:
    more = os.read(0, size - len(data))
    if not more:
        sys.exit(1)
    data += more
given = json.loads(data)
folder = tempfile.mkdtemp(prefix="lab-dtn-")
try:
    for name, text in given["files"].items():
        file = os.path.join(folder, name)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
    sys.path.insert(0, folder)
    from remote import agent
    agent.main(folder, given["task"], (sys.argv[2:] + [""])[0])
finally:
    shutil.rmtree(folder, ignore_errors=True)
"""


def command(size: int) -> str:
    """Return the shell command that starts an agent; ``size`` bytes follow on its input."""
    start = f"python3 -E -s -u -c {shlex.quote(_START)} {size}"
    # SSH_CONNECTION: client's address and port, then this host's end of the connection
    management = '"$(echo "$SSH_CONNECTION" | cut -d" " -f3)"'
    return (
        'PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"; '
        '[ -x "$(command -v python3)" ] || exit 91; '
        f'if [ "$(id -u)" = 0 ]; then exec {start} {management}; fi; '
        "sudo -n python3 -c '' || exit 92; "
        f"exec sudo -n {start} {management}"
    )


def payload(task: dict[str, Any]) -> bytes:
    """Return the agent and the host programs with the agent's task."""
    files = {f"remote/{file.name}": file for file in (_HERE / "remote").glob("*.py")}
    files |= {f"host/{file.name}": file for file in _HOST_PROGRAMS.glob("*.py")}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    return json.dumps({"files": texts, "task": task}).encode()
