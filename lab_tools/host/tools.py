"""Run the field's own tools on a host and return what they say as data.

Runs on any Linux host by itself: standard library only. The task is one JSON object, the first
argument, the answer one JSON object on standard output:

    {"tool": "ping", "target": "10.0.3.2", "count": 3, "interval_s": 0.2}
    {"tool": "iperf3", "target": "10.0.3.2", "duration_s": 5, "streams": 2, "cc": "reno"}
    {"tool": "ss"}
    {"tool": "tc", "dev": "r1-eth1"}
"""

import json
import re
import subprocess
import sys

_PING_REPLY = re.compile(r"icmp_seq=(\d+) .*time=([\d.]+) ms")
_PING_COUNTS = re.compile(r"(\d+) packets transmitted, (\d+) received")
_PAIR = re.compile(r"([a-z_]+):([^\s]+)")


class ToolError(Exception):
    """A tool is missing, or failed; says which, and what it printed."""


def _run(argv, ok=(0,)):
    try:
        done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise ToolError(f"{argv[0]} is not installed on this host") from error
    if done.returncode not in ok:
        said = (done.stderr or done.stdout).strip()[-400:]
        raise ToolError(f"{' '.join(argv)} ended with {done.returncode}: {said}")
    return done.stdout


def ping(target, count=3, interval_s=1.0, size_bytes=56, unfragmented=False):
    """Return ``rtt_s`` of each answer, and the numbers of packets sent and received."""
    argv = [
        "ping",
        "-n",
        "-c",
        str(count),
        "-i",
        str(interval_s),
        "-s",
        str(size_bytes),
        "-W",
        "30",
    ]
    # exit code 1: no answer, which is a result and not a failure
    text = _run([*argv, *(["-M", "do"] if unfragmented else []), target], ok=(0, 1))
    counts = _PING_COUNTS.search(text)
    if counts is None:
        raise ToolError(f"ping said nothing that can be read: {text.strip()[-400:]}")
    return {
        "rtt_s": [float(value) / 1e3 for _, value in _PING_REPLY.findall(text)],
        "sent": int(counts[1]),
        "received": int(counts[2]),
        "text": text,
    }


def iperf3(target, duration_s=10, streams=1, cc=None, mss_bytes=None, port=5201, reverse=False):
    """Return iperf3's own JSON for a test against a server that runs on the target."""
    argv = ["iperf3", "--json", "-c", target, "-p", str(port), "-t", str(duration_s)]
    argv += ["-P", str(streams)]
    argv += ["-C", cc] if cc else []
    argv += ["-M", str(mss_bytes)] if mss_bytes else []
    argv += ["-R"] if reverse else []
    text = _run(argv, ok=(0, 1))
    try:
        found = json.loads(text)
    except ValueError as error:
        raise ToolError(f"iperf3 said nothing that can be read: {text.strip()[-400:]}") from error
    if "error" in found:
        raise ToolError(f"iperf3: {found['error']}")
    return found


def ss():
    """Return the established TCP sockets of this host as ``ss -tin`` shows them."""
    lines = _run(["ss", "-H", "-t", "-i", "-n"]).splitlines()
    sockets = []
    for line in lines:
        if line[:1].strip():
            state, _, _, local, peer = line.split()[:5]
            sockets.append({"state": state, "local": local, "peer": peer})
        elif sockets:
            sockets[-1]["cc"] = line.split()[0]
            sockets[-1].update(_PAIR.findall(line))
    return {"sockets": sockets}


def tc(dev):
    """Return the queue disciplines of an interface with their counters."""
    return {"qdiscs": json.loads(_run(["tc", "-s", "-j", "qdisc", "show", "dev", dev]))}


TOOLS = {"ping": ping, "iperf3": iperf3, "ss": ss, "tc": tc}


def main(task):
    """Run one tool; see this file's head."""
    name = task.pop("tool")
    if name not in TOOLS:
        raise ToolError(f"there is no tool {name}; there are {', '.join(TOOLS)}")
    return TOOLS[name](**task)


if __name__ == "__main__":
    try:
        print(json.dumps(main(json.loads(sys.argv[1]))))
    except ToolError as error:
        sys.exit(f"tools: {error}")
