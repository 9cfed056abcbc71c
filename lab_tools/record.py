"""What happened in a run: the experiment, who ran it, tidy traces, counters and calibration."""

import dataclasses
import json
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, Self

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from lab_tools import units
from lab_tools.errors import CalibrationError, StoreError
from lab_tools.experiment import Experiment

#: Columns of the flows' trace; one row for each stream and sampling time.
FLOW_COLUMNS = {
    "time_s": "float64",
    "flow": "int32",
    "stream": "int32",
    "goodput_bps": "float64",
    "bytes_received": "int64",
    "bytes_acked": "int64",
    "cwnd_segments": "int64",
    "ssthresh_segments": "int64",
    "mss_bytes": "int64",
    "rtt_s": "float64",
    "rttvar_s": "float64",
    "min_rtt_s": "float64",
    "unacked_segments": "int64",
    "lost_segments": "int64",
    "retransmits": "int64",
    "retransmitted_bytes": "int64",
    "pacing_bps": "float64",
    "delivery_bps": "float64",
    "state": "string",
    "snd_wnd_bytes": "int64",
    "app_limited": "bool",
    "busy_s": "float64",
    "rwnd_limited_s": "float64",
    "sndbuf_limited_s": "float64",
    "bbr_bw_bps": "float64",
    "bbr_pacing_gain": "float64",
}
#: Columns of the bottleneck queue's trace; one row for each queue discipline and sampling time.
QUEUE_COLUMNS = {
    "time_s": "float64",
    "kind": "string",
    "backlog_bytes": "int64",
    "backlog_packets": "int64",
    "drops": "int64",
    "sent_bytes": "int64",
    "sent_packets": "int64",
}


@dataclass(frozen=True)
class Check:
    """One line of the calibration: what was asked for and what was achieved."""

    name: str
    requested: str
    achieved: str
    ok: bool


@dataclass(frozen=True, eq=False)
class RunRecord:
    """An immutable record of one run.

    Parameters
    ----------
    experiment : what was asked for.
    testbed : who ran it.
    clock : ``"virtual"`` or ``"wall"``.
    versions : names and versions of what took part (kernel, its configuration, tools).
    flows : tidy trace of every stream, columns `FLOW_COLUMNS`.
    queue : tidy trace of the bottleneck's queue, columns `QUEUE_COLUMNS`.
    calibration : requested against achieved.
    counters : the network's counters at the end, and the senders' socket options.
    wall_s, virtual_s : how long the run took, boot included, on the wall's and its own clock.
    cross : tidy trace of the cross traffic, columns `FLOW_COLUMNS`; in no total.
    """

    experiment: Experiment
    testbed: str
    clock: str
    versions: dict[str, str]
    flows: pd.DataFrame
    queue: pd.DataFrame
    calibration: tuple[Check, ...]
    counters: dict[str, Any]
    wall_s: float
    virtual_s: float
    cross: pd.DataFrame = field(default_factory=lambda: frame([], FLOW_COLUMNS))

    @property
    def calibrated(self) -> bool:
        """Whether every calibration check passed."""
        return all(check.ok for check in self.calibration)

    def require_calibrated(self) -> Self:
        """Return the record itself, or say what was not as asked for.

        Raises
        ------
        CalibrationError : names every check that failed.
        """
        wrong = [c for c in self.calibration if not c.ok]
        if wrong:
            lines = "; ".join(f"{c.name}: asked {c.requested}, got {c.achieved}" for c in wrong)
            raise CalibrationError(f"this run is not what the experiment asked for: {lines}.")
        return self

    def total(self) -> pd.DataFrame:
        """Return all streams together: one row a sampling time.

        Columns: ``time_s``, ``goodput_bps`` (sum), ``cwnd_segments`` (sum), ``rtt_s`` (mean),
        ``retransmits`` (sum so far).
        """
        grouped = self.flows.groupby("time_s", sort=True)
        return grouped.agg(
            goodput_bps=("goodput_bps", "sum"),
            cwnd_segments=("cwnd_segments", "sum"),
            rtt_s=("rtt_s", "mean"),
            retransmits=("retransmits", "sum"),
        ).reset_index()

    def goodput_bps(self, flow: int | None = None) -> float:
        """Return the mean goodput in bit/s after the omitted head, of one flow or of all."""
        rows = self.flows if flow is None else self.flows[self.flows["flow"] == flow]
        kept = rows[rows["time_s"] >= self.experiment.omit_s - 1e-9]
        received = kept.groupby(["flow", "stream"])["bytes_received"].agg(["first", "last"])
        span_s = float(kept["time_s"].max() - kept["time_s"].min())
        return float((received["last"] - received["first"]).sum() * 8 / span_s)

    @property
    def retransmits(self) -> int:
        """Segments that all streams sent again."""
        last = self.flows.groupby(["flow", "stream"])["retransmits"].last()
        return int(last.sum())

    @property
    def bottleneck_drops(self) -> int:
        """Packets that the router's queue dropped."""
        return int(self.queue.groupby("kind")["drops"].last().max()) if len(self.queue) else 0

    @property
    def title(self) -> str:
        """What was run, in a line for people."""
        path = self.experiment.path
        streams: dict[str, int] = {}
        for flow in self.experiment.flows:
            name = flow.cc if flow.transport == "tcp" else flow.transport
            streams[name] = streams.get(name, 0) + flow.streams
        flows = ", ".join(
            f"{count} {name} stream{'s' if count > 1 else ''}" for name, count in streams.items()
        )
        loss = f", loss {path.loss:.3g}" if path.loss else ""
        rate, rtt = units.show_rate(path.rate_bps), units.show_time(path.rtt_s)
        cuts = "".join(f", {cut.what} cut" for cut in self.experiment.cuts)
        return f"{flows}, {rate}, {rtt}{loss}, MTU {path.mtu_bytes}{cuts}"

    def summary(self) -> dict[str, Any]:
        """Return the run in a few numbers, as plain data."""
        return {
            "experiment": self.experiment.to_dict(),
            "id": self.experiment.id,
            "testbed": self.testbed,
            "clock": self.clock,
            "goodput_bps": self.goodput_bps(),
            "achieved_rtt_s": self.counters.get("achieved_rtt_s"),
            "congestion_control": self.counters.get("congestion_control"),
            "retransmits": self.retransmits,
            "bottleneck_drops": self.bottleneck_drops,
            "drops_outside_bottleneck": self.counters.get("drops_outside_bottleneck"),
            "calibrated": self.calibrated,
            "calibration": [dataclasses.asdict(check) for check in self.calibration],
            "virtual_s": self.virtual_s,
            "wall_s": self.wall_s,
            "virtual_over_wall": self.virtual_s / self.wall_s if self.wall_s else None,
            "versions": self.versions,
        }

    def save(self, folder: str | FilePath) -> None:
        """Write the record into an empty folder: parquet files and one JSON file.

        The parquet files hold nothing of the wall clock: the same run gives the same bytes.

        Raises
        ------
        StoreError : the folder cannot be written.
        """
        folder = FilePath(folder)
        about = {
            "format": 1,
            "experiment": self.experiment.to_dict(),
            "testbed": self.testbed,
            "clock": self.clock,
            "versions": self.versions,
            "calibration": [dataclasses.asdict(check) for check in self.calibration],
            "counters": self.counters,
            "wall_s": self.wall_s,
            "virtual_s": self.virtual_s,
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
            _write_table(self.flows, FLOW_COLUMNS, folder / "flows.parquet")
            _write_table(self.queue, QUEUE_COLUMNS, folder / "queue.parquet")
            if len(self.cross):
                _write_table(self.cross, FLOW_COLUMNS, folder / "cross.parquet")
            text = json.dumps(about, indent=1, sort_keys=True)
            (folder / "record.json").write_text(text + "\n", encoding="utf-8")
        except OSError as error:
            raise StoreError(
                f"the record cannot be written to {folder}: {error}. Free some space, or choose "
                "another place with LAB_STORE."
            ) from error

    @classmethod
    def load(cls, folder: str | FilePath) -> Self:
        """Read a record that `save` wrote.

        Raises
        ------
        StoreError : there is none, or it is damaged.
        """
        folder = FilePath(folder)
        try:
            about = json.loads((folder / "record.json").read_text(encoding="utf-8"))
            return cls(
                experiment=Experiment.from_dict(about["experiment"]),
                testbed=about["testbed"],
                clock=about["clock"],
                versions=about["versions"],
                flows=_read_table(folder / "flows.parquet", FLOW_COLUMNS),
                queue=_read_table(folder / "queue.parquet", QUEUE_COLUMNS),
                cross=_read_table(folder / "cross.parquet", FLOW_COLUMNS, optional=True),
                calibration=tuple(Check(**each) for each in about["calibration"]),
                counters=about["counters"],
                wall_s=about["wall_s"],
                virtual_s=about["virtual_s"],
            )
        except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
            raise StoreError(f"no readable record in {folder}: {error}") from error


def frame(rows: Any, columns: dict[str, str]) -> pd.DataFrame:
    """Return rows as a data frame with exactly these columns and types."""
    table = pd.DataFrame(rows, columns=list(columns))
    return table.astype(columns)


def _read_table(file: FilePath, columns: dict[str, str], *, optional: bool = False) -> pd.DataFrame:
    if optional and not file.exists():
        return frame([], columns)
    return frame(pq.read_table(file).to_pandas(), columns)


def _write_table(table: pd.DataFrame, columns: dict[str, str], file: FilePath) -> None:
    arrow = pa.Table.from_pandas(frame(table, columns), preserve_index=False)
    pq.write_table(arrow.replace_schema_metadata(None), file, compression="zstd")
