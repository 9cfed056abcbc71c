"""Count what was lost in a run, by where and why."""

from dataclasses import dataclass
from typing import Any

from lab_tools.experiment import Experiment
from lab_tools.testbeds.cutting import cut_interfaces
from lab_tools.testbeds.layout import Layout


@dataclass
class RandomLoss:
    """Packets lost at random, of so many, with the probability that was asked for."""

    name: str
    loss: float
    lost: int = 0
    trials: int = 0


@dataclass
class Drops:
    """Packets lost outside the bottlenecks, in what was cut, and at random."""

    outside: int
    cut: int
    random: list[RandomLoss]


def count(experiment: Experiment, layout: Layout, done: dict[str, Any]) -> Drops:
    """Return a run's drops, from the counters in the worker's last event."""
    drops = Drops(int(done["backlog_drops"]), 0, [])
    for interfaces in done["links"].values():
        for counts in interfaces.values():
            drops.outside += sum(side["dropped"] + side["errors"] for side in counts.values())
    random: dict[str, RandomLoss] = {}
    cut = cut_interfaces(experiment, layout)
    for node, queues in done["queues"].items():
        for queue in queues:
            here = (node, queue.get("dev", ""))
            if here in cut and queue["kind"] == "netem":
                drops.cut += queue["drops"]
            elif queue["kind"] == "netem" and here in layout.lossy:
                name = "random loss" + ("" if experiment.network is None else f" of {node}")
                loss = layout.lossy[here].loss
                entry = random.setdefault(name, RandomLoss(name, loss))
                entry.lost += queue["drops"]
                entry.trials += queue["packets"] + queue["drops"]
            elif queue["kind"] == "netem" or node in layout.hosts:
                drops.outside += queue["drops"]
    for entry in random.values():
        # a wire that was never told to lose anything
        if not entry.loss:
            drops.outside += entry.lost
    drops.random = [entry for entry in random.values() if entry.loss]
    return drops
