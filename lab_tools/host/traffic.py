"""Send or receive TCP streams and sample the kernel's view of them (TCP_INFO).

Runs on any Linux host by itself: standard library only. The task is one JSON object, the first
argument. Events go to standard output, samples to the task's ``out`` (standard output without
one), a JSON object a line:

    {"event": "ready"}                       the receiver listens
    {"event": "sample", "role": "send", "flow": 0, "k": 3, "t": 0.3, "streams": [[…], …]}
    {"event": "flow", …}                     the sender's options, read back by getsockopt
    {"event": "end", …}

Every stream has a blocking thread of its own; one more thread samples all of them. A stream may
stop early, pause at random (an on/off application), or be UDP packets at a constant rate.
"""

import ctypes
import json
import mmap
import os
import random
import socket
import struct
import sys
import threading
import time

TCP_NOTSENT_LOWAT, TCP_CC_INFO = 25, 26
SO_MAX_PACING_RATE = 47
CHUNK_BYTES = 4 << 20
#: What an application that may stop hands over at once, and leaves unsent.
PIECE_BYTES = 64 << 10
#: Time between the starts of two streams of a flow.
STAGGER_S = 20e-6
GREETING = struct.Struct("!I")
#: A line has to reach the host in one piece, of at most 64 KiB: other programs write there too.
STREAMS_A_LINE = 150

#: Fields of the kernel's ``struct tcp_info`` (include/uapi/linux/tcp.h), in order. A name in
#: brackets is not reported.
_U8 = "state ca_state [retransmits] [probes] [backoff] [options] [wscale] app_limited"
_U32_A = (
    "rto [ato] snd_mss rcv_mss unacked sacked lost retrans [fackets] [last_data_sent] "
    "[last_ack_sent] [last_data_recv] [last_ack_recv] pmtu rcv_ssthresh rtt rttvar ssthresh cwnd "
    "[advmss] reordering rcv_rtt rcv_space total_retrans"
)
_U64_A = "pacing_rate [max_pacing] bytes_acked bytes_received"
_U32_B = "segs_out segs_in notsent_bytes min_rtt data_segs_in data_segs_out"
_U64_B = "delivery_rate busy_time rwnd_limited sndbuf_limited"
_U32_C = "delivered delivered_ce"
_U64_C = "bytes_sent bytes_retrans"
_U32_D = "dsack_dups reord_seen rcv_ooopack snd_wnd"
_ALL = " ".join([_U8, _U32_A, _U64_A, _U32_B, _U64_B, _U32_C, _U64_C, _U32_D]).split()
_LAYOUT = struct.Struct("=8B24I4Q6I4Q2I2Q4I")
FIELDS = [name for name in _ALL if not name.startswith("[")]
_KEEP = [i for i, name in enumerate(_ALL) if not name.startswith("[")]
_APP_LIMITED = _KEEP.index(_ALL.index("app_limited"))


def tcp_info(sock):
    """Return the values of `FIELDS` for a TCP socket; zeroes where the kernel has none."""
    raw = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _LAYOUT.size)
    values = _LAYOUT.unpack(raw.ljust(_LAYOUT.size, b"\0"))
    kept = [values[i] for i in _KEEP]
    kept[_APP_LIMITED] &= 1
    return kept


def bbr_info(sock):
    """Return BBR's own bandwidth (B/s), min RTT (µs), pacing and cwnd gains (1/256)."""
    raw = sock.getsockopt(socket.IPPROTO_TCP, TCP_CC_INFO, 20)
    low, high, min_rtt, pacing, cwnd = struct.unpack("=5I", raw.ljust(20, b"\0"))
    return [low | high << 32, min_rtt, pacing, cwnd]


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


class Reporter:
    """Writes one JSON object a line, each in a single write so that lines never mix."""

    def __init__(self, file):
        self.fd = file if isinstance(file, int) else os.open(file, os.O_WRONLY)

    def __call__(self, **event):
        """Write one event."""
        data = json.dumps(event, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[os.write(self.fd, data) :]


def configure(sock, task):
    """Set a sending socket's options as the task says."""
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, task["cc"].encode())
    if task.get("mss_bytes"):
        # As in the SYN: the 12 bytes of timestamps that every segment carries come out of it.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, task["mss_bytes"])
    if task.get("pacing_bps"):
        rate = struct.pack("=Q", round(task["pacing_bps"] / 8))
        sock.setsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, rate)


def readback(sock):
    """Return what the kernel says of a sending socket's options."""
    name = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
    pacing = sock.getsockopt(socket.SOL_SOCKET, SO_MAX_PACING_RATE, 8)
    rate = int.from_bytes(pacing, "little")
    return {
        "cc": name.split(b"\0")[0].decode(),
        "maxseg_bytes": sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG),
        "sndbuf_bytes": sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
        "pacing_bps": None if rate >= 2**32 - 1 else rate * 8,
    }


def periods(task, stream):
    """Yield when an application begins and stops offering data, on the run's clock."""
    start = task.get("start_s", 0) + (stream + 1) * STAGGER_S
    stop = task.get("stop_s") or float("inf")
    if not task.get("on_s"):
        yield start, stop
        return
    chance = random.Random(f"{task['seed']} {task['flow']} {stream}")
    while start < stop:
        end = start + chance.expovariate(1 / task["on_s"])
        yield start, min(end, stop)
        start = end + chance.expovariate(1 / task["off_s"])


def pump(sock, stream, source, task):
    """Send the source file again and again until the connection is cut.

    ``sendfile`` hands the file's pages to the kernel without copying them, so that sending costs
    neither memory nor time; with ``app_limit_bps`` a part of them is sent every 10 ms.
    """
    limit_bps = task.get("app_limit_bps")
    size = CHUNK_BYTES
    if limit_bps:
        size = max(1, min(CHUNK_BYTES, round(limit_bps / 8 / 100)))
    try:
        sock.sendall(GREETING.pack(stream))
        if task.get("on_s") or task.get("stop_s"):
            pump_at_times(sock, stream, source, task, min(size, PIECE_BYTES))
            return
        due = time.clock_gettime(time.CLOCK_REALTIME)
        while True:
            due = offer(sock, source, size, limit_bps, due)
    except OSError:
        return


def pump_at_times(sock, stream, source, task, size):
    """Send while the application offers data, leaving little unsent when it stops."""
    sock.setsockopt(socket.IPPROTO_TCP, TCP_NOTSENT_LOWAT, PIECE_BYTES)
    for start, stop in periods(task, stream):
        sleep_until(task["begin"] + start)
        due = time.clock_gettime(time.CLOCK_REALTIME)
        while time.clock_gettime(time.CLOCK_REALTIME) < task["begin"] + stop:
            due = offer(sock, source, size, task.get("app_limit_bps"), due)


def offer(sock, source, size, limit_bps, due):
    """Hand over so many bytes; return when the next ones are due.

    The application makes its data at the rate of its limit and no faster: what it could not hand
    over in time it does not make up for later.
    """
    left = size
    while left:
        left -= os.sendfile(sock.fileno(), source, 0, left)
    if limit_bps:
        due = max(due + size * 8 / limit_bps, time.clock_gettime(time.CLOCK_REALTIME))
        sleep_until(due)
    return due


def drain(sock, streams):
    """Receive and throw away until the sender is gone; nothing is copied (MSG_TRUNC)."""
    number = GREETING.unpack(sock.recv(GREETING.size, socket.MSG_WAITALL))[0]
    streams[number] = sock
    place = mmap.mmap(-1, CHUNK_BYTES)
    flags = socket.MSG_WAITALL | socket.MSG_TRUNC
    try:
        while sock.recv_into(place, CHUNK_BYTES, flags):
            pass
    except OSError:
        return


def sample(task, report, sockets, extra=None, info=tcp_info):
    """Report TCP_INFO of every stream at each sampling time until the end."""
    interval, begin = task["interval_s"], task["begin"]
    for k in range(round(task["duration_s"] / interval) + 1):
        sleep_until(begin + k * interval + task.get("sample_shift_s", 0))
        now = time.clock_gettime(time.CLOCK_REALTIME) - begin
        rows = [info(s) if s else None for s in sockets]
        extras = [extra(s) if s else None for s in sockets] if extra else []
        for first in range(0, len(rows), STREAMS_A_LINE):
            last = first + STREAMS_A_LINE
            more = {"extra": extras[first:last]} if extra else {}
            if last < len(rows):
                more["goes_on"] = True
            report(
                event="sample", role=task["role"], flow=task["flow"], k=k, t=round(now, 9),
                streams=rows[first:last], **more,
            )  # fmt: skip


def cut(sock):
    """Close at once, throwing away what is still queued (a reset, not a goodbye)."""
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    sock.close()


def send(task, report, events):
    """Open the streams, fill them until the end, and sample them."""
    source = os.memfd_create("traffic")
    os.write(source, bytes(CHUNK_BYTES))
    sockets = []
    for _ in range(task["streams"]):
        sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        configure(sock, task)
        sockets.append(sock)
    events(event="ready", role="send", flow=task["flow"])

    def run(number, sock):
        # each at a moment of its own, after the sample of that time, so that their order is fixed
        sleep_until(task["begin"] + task.get("start_s", 0) + (number + 1) * STAGGER_S)
        try:
            sock.connect((task["peer"], task["port"]))
        except OSError as error:
            events(event="error", flow=task["flow"], stream=number, what=str(error))
            return
        pump(sock, number, source, task)

    for number, sock in enumerate(sockets):
        threading.Thread(target=run, args=(number, sock), daemon=True).start()
    sample(task, report, sockets, bbr_info if task["cc"] == "bbr" else None)
    events(event="flow", flow=task["flow"], streams=[readback(s) for s in sockets])
    for sock in sockets:
        cut(sock)


def receive(task, report, events):
    """Accept the streams, drain them until the end, and sample them."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("", task["port"]))
    listener.listen(task["streams"])
    streams = [None] * task["streams"]

    def accept():
        for _ in range(task["streams"]):
            sock, _ = listener.accept()
            threading.Thread(target=drain, args=(sock, streams), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    events(event="ready", role="receive", flow=task["flow"])
    sample(task, report, streams)


def main(task):
    """Do one task; see this file's head."""
    threading.stack_size(256 << 10)
    events = Reporter(1)
    report = Reporter(task["out"]) if task.get("out") else events
    if task.get("transport") == "udp":
        import datagrams

        work = {"send": datagrams.send, "receive": datagrams.receive}[task["role"]]
    else:
        work = {"send": send, "receive": receive}[task["role"]]
    work(task, report, events)
    events(event="end", role=task["role"], flow=task["flow"])


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
    # The stream threads may still sit in a system call: leave without waiting for them.
    os._exit(0)
