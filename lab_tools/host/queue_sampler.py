"""Sample the counters of one interface's queue disciplines, by netlink, without starting ``tc``.

Runs on any Linux host by itself: standard library only. The task is one JSON object, the first
argument: ``{"dev": "r1-eth1", "begin": …, "duration_s": …, "interval_s": …, "out": …}``. Each
line of output holds one sample of every queue discipline on the interface:

    {"event": "queue", "k": 3, "t": 0.3, "qdiscs": [{"kind": "tbf", "backlog_bytes": …}, …]}
"""

import ctypes
import json
import os
import socket
import struct
import sys
import time

RTM_NEWQDISC, RTM_GETQDISC, NLMSG_DONE = 36, 38, 3
NLM_F_REQUEST, NLM_F_DUMP = 1, 0x300
TCA_KIND, TCA_STATS2 = 1, 7
TCA_STATS_BASIC, TCA_STATS_QUEUE = 1, 3
_HEADER = struct.Struct("=IHHII")
_TCMSG = struct.Struct("=BxxxiIII")
_ATTRIBUTE = struct.Struct("=HH")


def attributes(data):
    """Return the netlink attributes in ``data`` as a dict from type to bytes."""
    found, offset = {}, 0
    while offset + _ATTRIBUTE.size <= len(data):
        length, kind = _ATTRIBUTE.unpack_from(data, offset)
        found[kind & 0x3FFF] = data[offset + _ATTRIBUTE.size : offset + length]
        offset += (length + 3) & ~3
    return found


def counters(message):
    """Return one queue discipline's counters from its netlink message."""
    _, _, handle, parent, _ = _TCMSG.unpack_from(message)
    found = attributes(message[_TCMSG.size :])
    stats = attributes(found[TCA_STATS2])
    sent_bytes, sent_packets = struct.unpack_from("=QI", stats[TCA_STATS_BASIC])
    queue = struct.unpack("=5I", stats[TCA_STATS_QUEUE])
    return {
        "kind": found[TCA_KIND].rstrip(b"\0").decode(),
        "handle": f"{handle >> 16:x}:",
        "parent": f"{parent >> 16:x}:{parent & 0xFFFF:x}",
        "sent_bytes": sent_bytes,
        "sent_packets": sent_packets,
        "queue_packets": queue[0],
        "backlog_bytes": queue[1],
        "drops": queue[2],
        "requeues": queue[3],
        "overlimits": queue[4],
    }


def qdiscs(sock, index):
    """Ask the kernel for every queue discipline of the interface with this index."""
    body = _TCMSG.pack(socket.AF_UNSPEC, index, 0, 0, 0)
    flags = NLM_F_REQUEST | NLM_F_DUMP
    sock.send(_HEADER.pack(_HEADER.size + len(body), RTM_GETQDISC, flags, 1, 0) + body)
    found = []
    while True:
        data = sock.recv(1 << 16)
        while data:
            length, kind, *_ = _HEADER.unpack_from(data)
            if kind == NLMSG_DONE:
                return found
            message = data[_HEADER.size : length]
            if kind == RTM_NEWQDISC and _TCMSG.unpack_from(message)[1] == index:
                found.append(counters(message))
            data = data[(length + 3) & ~3 :]


class _Timespec(ctypes.Structure):
    _fields_ = (("tv_sec", ctypes.c_long), ("tv_nsec", ctypes.c_long))


_LIBC = ctypes.CDLL(None)
_PR_SET_TIMERSLACK, _TIMER_ABSTIME = 29, 1


def sleep_until(moment):
    """Sleep until exactly ``moment`` on the real-time clock, whenever this was called.

    ``time.sleep`` takes a difference, so it wakes a little later the later it was called, and the
    order of two threads that wake together would depend on what they did before.
    """
    _LIBC.prctl(_PR_SET_TIMERSLACK, 1, 0, 0, 0)
    until = _Timespec(int(moment), round(moment % 1 * 1e9))
    while _LIBC.clock_nanosleep(time.CLOCK_REALTIME, _TIMER_ABSTIME, ctypes.byref(until), None):
        pass


def main(task):
    """Do one task; see this file's head."""
    out = os.open(task["out"], os.O_WRONLY) if task.get("out") else 1
    sock = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, socket.NETLINK_ROUTE)
    index = socket.if_nametoindex(task["dev"])
    for k in range(round(task["duration_s"] / task["interval_s"]) + 1):
        sleep_until(task["begin"] + k * task["interval_s"])
        row = {"event": "queue", "k": k, "t": round(k * task["interval_s"], 9)}
        row["qdiscs"] = qdiscs(sock, index)
        os.write(out, json.dumps(row, separators=(",", ":")).encode() + b"\n")


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
