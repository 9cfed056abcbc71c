"""Gather a worker's events into samples and, at the end, into tidy traces."""

from collections.abc import Callable
from typing import Any

import pandas as pd

from lab_tools.experiment import Experiment
from lab_tools.host.traffic import FIELDS
from lab_tools.record import FLOW_COLUMNS, QUEUE_COLUMNS, frame
from lab_tools.testbeds.base import OnSample, Sample

_AT = {name: index for index, name in enumerate(FIELDS)}
#: ``enum tcp_ca_state`` of the kernel (include/uapi/linux/tcp.h).
_STATES = ("open", "disorder", "cwr", "recovery", "loss")


class Collector:
    """Takes events as they come; `flows` and `queue` give the traces so far."""

    def __init__(self, experiment: Experiment, on_sample: OnSample | None = None) -> None:
        self.experiment = experiment
        self._everything = experiment.flows + experiment.cross
        self.on_sample = on_sample
        self.time_s = 0.0
        self._halves: dict[tuple[int, int], dict[str, Any]] = {}
        self._received: dict[tuple[int, int], int] = {}
        self._rows: list[dict[str, Any]] = []
        self._queue: list[dict[str, Any]] = []
        self._backlog_bytes = 0

    def take(self, event: dict[str, Any]) -> None:
        """Take one event of a run."""
        if event["event"] == "queue":
            self._take_queue(event)
        elif event["event"] == "sample":
            key = (event["flow"], event["k"])
            half = self._halves.setdefault(key, {})
            begun = half.get(event["role"])
            if begun is None:
                half[event["role"]] = event
            else:  # of many streams some come in lines of their own
                begun["streams"] += event["streams"]
                begun["extra"] = begun.get("extra", []) + event.get("extra", [])
                begun["goes_on"] = event.get("goes_on", False)
            if len(half) == 2 and not any(each.get("goes_on") for each in half.values()):
                del self._halves[key]
                self._take_pair(half["send"], half["receive"])

    def flows(self) -> pd.DataFrame:
        """Return the flows' trace so far, in order of time, flow and stream."""
        return self._trace(lambda flow: not self._is_cross(flow))

    def cross(self) -> pd.DataFrame:
        """Return the cross traffic's trace so far; its flows are numbered after the others."""
        return self._trace(self._is_cross)

    def _trace(self, wanted: Callable[[int], bool]) -> pd.DataFrame:
        rows = [row for row in self._rows if wanted(row["flow"])]
        rows.sort(key=lambda r: (r["time_s"], r["flow"], r["stream"]))
        return frame(rows, FLOW_COLUMNS)

    def _is_cross(self, flow: int) -> bool:
        return flow >= len(self.experiment.flows)

    def queue(self) -> pd.DataFrame:
        """Return the bottleneck queue's trace so far."""
        return frame(self._queue, QUEUE_COLUMNS)

    def _take_queue(self, event: dict[str, Any]) -> None:
        time_s = self._time_s(event)
        for discipline in event["qdiscs"]:
            self._queue.append(
                {
                    "time_s": time_s,
                    "kind": discipline["kind"],
                    "backlog_bytes": discipline["backlog_bytes"],
                    "backlog_packets": discipline["queue_packets"],
                    "drops": discipline["drops"],
                    "sent_bytes": discipline["sent_bytes"],
                    "sent_packets": discipline["sent_packets"],
                }
            )
        self._backlog_bytes = max((d["backlog_bytes"] for d in event["qdiscs"]), default=0)

    def _take_pair(self, sent: dict[str, Any], received: dict[str, Any]) -> None:
        time_s = self._time_s(sent)
        self.time_s = max(self.time_s, time_s)
        extras = sent.get("extra") or [None] * len(sent["streams"])
        pairs = zip(sent["streams"], received["streams"], extras, strict=True)
        rows = [self._row(time_s, sent["flow"], stream, *pair) for stream, pair in enumerate(pairs)]
        self._rows += rows
        if self.on_sample and rows and not self._is_cross(sent["flow"]):
            self.on_sample(
                Sample(
                    time_s=time_s,
                    flow=sent["flow"],
                    goodput_bps=sum(r["goodput_bps"] for r in rows),
                    cwnd_segments=sum(r["cwnd_segments"] for r in rows),
                    rtt_s=sum(r["rtt_s"] for r in rows) / len(rows),
                    retransmits=sum(r["retransmits"] for r in rows),
                    queue_bytes=self._backlog_bytes,
                )
            )

    def _time_s(self, event: dict[str, Any]) -> float:
        return round(int(event["k"]) * self.experiment.sample_interval_s, 9)

    def _row(
        self,
        time_s: float,
        flow: int,
        stream: int,
        sent: list[int],
        received: list[int] | None,
        extra: list[int] | None,
    ) -> dict[str, Any]:
        def get(name: str) -> int:
            return sent[_AT[name]]

        total = received[_AT["bytes_received"]] if received else 0
        before = self._received.get((flow, stream), 0)
        self._received[flow, stream] = total
        interval_s = self.experiment.sample_interval_s
        endless = get("pacing_rate") >= 2**62
        is_tcp = self._everything[flow].transport == "tcp"
        has_min_rtt = is_tcp and get("min_rtt") < 2**32 - 1
        return {
            "time_s": time_s,
            "flow": flow,
            "stream": stream,
            "goodput_bps": (total - before) * 8 / interval_s if time_s else 0.0,
            "bytes_received": total,
            "bytes_acked": get("bytes_acked"),
            "cwnd_segments": get("cwnd"),
            "ssthresh_segments": get("ssthresh"),
            "mss_bytes": get("snd_mss"),
            "rtt_s": get("rtt") / 1e6 if is_tcp else float("nan"),
            "rttvar_s": get("rttvar") / 1e6 if is_tcp else float("nan"),
            "min_rtt_s": get("min_rtt") / 1e6 if has_min_rtt else float("nan"),
            "unacked_segments": get("unacked"),
            "lost_segments": get("lost"),
            "retransmits": get("total_retrans"),
            "retransmitted_bytes": get("bytes_retrans"),
            "pacing_bps": float("inf") if endless else get("pacing_rate") * 8.0,
            "delivery_bps": get("delivery_rate") * 8.0,
            "state": _STATES[get("ca_state")] if get("ca_state") < len(_STATES) else "unknown",
            "snd_wnd_bytes": get("snd_wnd"),
            "app_limited": bool(get("app_limited")),
            "busy_s": get("busy_time") / 1e6,
            "rwnd_limited_s": get("rwnd_limited") / 1e6,
            "sndbuf_limited_s": get("sndbuf_limited") / 1e6,
            "bbr_bw_bps": extra[0] * 8.0 if extra else float("nan"),
            "bbr_pacing_gain": extra[2] / 256 if extra else float("nan"),
        }
