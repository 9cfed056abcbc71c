"""Send UDP packets at a constant rate, or count those that arrive; sampled like TCP streams.

Runs on any Linux host by itself: standard library only; called by `traffic` for flows whose
transport is UDP. Every packet begins with the number of its stream.
"""

import contextlib
import socket
import threading

import traffic

SO_RCVBUFFORCE = 33
RECEIVE_BUFFER_BYTES = 64 << 20
#: Time between two looks at what has arrived.
DRAIN_EVERY_S = 5e-3
_BYTES_ACKED = traffic.FIELDS.index("bytes_acked")
_BYTES_RECEIVED = traffic.FIELDS.index("bytes_received")


class Counter:
    """What one stream has sent or received, in the form of `traffic.FIELDS`."""

    def __init__(self, field):
        self.row = [0] * len(traffic.FIELDS)
        self.field = field

    def add(self, size):
        """Count a packet's payload."""
        self.row[self.field] += size


def _row(counter):
    return list(counter.row)


def send(task, report, events):
    """Send every stream's packets until the end."""
    counters = [Counter(_BYTES_ACKED) for _ in range(task["streams"])]
    events(event="ready", role="send", flow=task["flow"])
    for number, counter in enumerate(counters):
        arguments = (task, number, counter)
        threading.Thread(target=pump, args=arguments, daemon=True).start()
    traffic.sample(task, report, counters, info=_row)
    streams = [{"cc": task["cc"], "pacing_bps": None} for _ in counters]
    events(event="flow", flow=task["flow"], streams=streams)


def pump(task, stream, counter):
    """Send one stream's packets, each at its time."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sock.connect((task["peer"], task["port"]))
    size = task["packet_bytes"]
    packet = traffic.GREETING.pack(stream).ljust(size, b"\0")
    interval_s = size * 8 / task["app_limit_bps"]
    for start, stop in traffic.periods(task, stream):
        number, first = 0, task["begin"] + start
        while (due := first + number * interval_s) < task["begin"] + stop:
            traffic.sleep_until(due)
            # An error is a packet lost: a queue on this host is full, or the receiver is gone.
            with contextlib.suppress(OSError):
                counter.add(sock.send(packet))
            number += 1


def receive(task, report, events):
    """Count every stream's packets until the end."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER_BYTES)
    except PermissionError:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER_BYTES)
    sock.bind(("", task["port"]))
    counters = [Counter(_BYTES_RECEIVED) for _ in range(task["streams"])]
    lock = threading.Lock()
    place = bytearray(traffic.GREETING.size)

    def drain():
        with lock:
            while True:
                try:
                    size = sock.recv_into(place, 0, socket.MSG_DONTWAIT | socket.MSG_TRUNC)
                except BlockingIOError:
                    return
                counters[traffic.GREETING.unpack(place)[0] % len(counters)].add(size)

    def drain_often():
        looks = 0
        while True:
            looks += 1
            due = task["begin"] + looks * DRAIN_EVERY_S
            traffic.sleep_until(due + task.get("sample_shift_s", 0))
            drain()

    def row(counter):
        drain()
        return _row(counter)

    threading.Thread(target=drain_often, daemon=True).start()
    events(event="ready", role="receive", flow=task["flow"])
    traffic.sample(task, report, counters, info=row)
