"""Published measurements of real hosts, with their settings, on the kernel in virtual time."""

from benchmarks.fidelity.row import Row, run_all
from lab_tools.experiment import Experiment, Flow, Host, Path

FRAME_BYTES = 1514


def rows() -> list[Row]:
    """Return the rows of TSP 2018 and of the FAST deck."""
    return tsp_2018() + fast_deck()


def tsp_2018() -> list[Row]:
    """Return what ten streams gain at 10 Gbit/s, 20 ms, 0.01 % loss."""
    path = Path(10e9, 0.02, loss=1e-4)
    cases = [(cc, n) for cc in ("bbr", "reno", "cubic", "htcp") for n in (10, 1)]
    runs = [
        Experiment(
            path, flows=(Flow(cc, streams=n, mss_bytes=8960),), omit_s=4 if cc != "bbr" else 2,
            duration_s=6 if cc == "bbr" else 12 if n == 10 else 40, sample_interval_s=0.5,
        )
        for cc, n in cases
    ]  # fmt: skip
    goodput = dict(zip(cases, (r.goodput_bps() for r in run_all(runs)), strict=True))
    out = []
    for cc in ("bbr", "reno", "cubic", "htcp"):
        gain = goodput[cc, 10] / goodput[cc, 1]
        said = "almost 4" if cc == "bbr" else "below 2"
        alone = goodput[cc, 1] / 1e9
        why = (
            f"one stream has {alone:.2f} Gbit/s already; theirs had less: no host is too slow here"
            if cc == "bbr"
            else f"one stream has {alone:.2f} Gbit/s, as Mathis says; ten lose independently"
        )
        out.append(
            Row(f"{cc}: gain by ten streams, 10 Gbit/s, 20 ms, 0.01 % loss", said, f"{gain:.2f}",
                "Crichigno and others, TSP 2018 (abstract)", why)
        )  # fmt: skip
    return out


def fast_deck() -> list[Row]:
    """Return Linux's rows of the FAST deck: 1 Gbit/s, 180 ms, two lengths of the sender's queue."""
    published = {(1, 100): 185.0, (1, 10_000): 266.0, (2, 100): 317.0, (2, 10_000): 931.0}
    runs = [
        Experiment(
            Path(1e9, 0.18, mtu_bytes=1500, buffer_bytes=queue * FRAME_BYTES),
            Host(offloads=True), (Flow("reno", streams=n),),
            duration_s=600, omit_s=0, sample_interval_s=2.0,
        )
        for n, queue in published
    ]  # fmt: skip
    out = []
    for ((n, queue), said), record in zip(published.items(), run_all(runs), strict=True):
        out.append(
            Row(
                f"Reno, {n} flow{'s' if n > 1 else ''}, 1 Gbit/s, 180 ms, queue of {queue} "
                "packets, first 600 s (Mbit/s)",
                said,
                record.goodput_bps() / 1e6,
                "deck 002, SC2002 (txqueuelen)",
                "theirs crossed an ocean with losses of its own and lasted an hour; here only the "
                "queue loses",
            )
        )
    return out
