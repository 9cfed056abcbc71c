"""Change a host as the plan says, writing down first how to change it back."""

from __future__ import annotations

from typing import Any

from . import journal as host
from .journal import OFFLOADS, HostError, Journal


class Tuner:
    """Tunes one interface and the kernel's parameters; `log` says what changed."""

    def __init__(self, journal: Journal, device: str) -> None:
        self.journal, self.device = journal, device
        self.log: list[dict[str, Any]] = []

    def apply(self, steps: list[dict[str, Any]]) -> None:
        """Do the plan's steps in their order."""
        for step in steps:
            getattr(self, "do_" + step.pop("do"))(**step)

    def do_sysctl(self, name: str, value: str, required: bool) -> None:
        """Set a kernel parameter."""
        before = host.read_sysctl(name)
        if before is None and not required:
            self._note(name, "not on this host", "not on this host")
            return
        if before is None:
            raise HostError(f"this kernel has no parameter {name}")
        if before != value:
            self.journal.note(kind="sysctl", name=name, before=before)
            try:
                host.write_sysctl(name, value)
            except HostError:
                if required:
                    raise
        self._note(name, before, host.read_sysctl(name))

    def do_mtu(self, value: int) -> None:
        """Set the data interface's MTU."""
        before = host.link(self.device)["mtu"]
        self.journal.note(kind="mtu", device=self.device, before=before)
        host.command(["ip", "link", "set", "dev", self.device, "mtu", str(value)])
        self._note("mtu", before, host.link(self.device)["mtu"])

    def do_offloads(self, wanted: str) -> None:
        """Switch segmentation and receive offloads of the data interface ``on`` or ``off``.

        Without them TCP still hands over packets of many segments, which are cut behind the queue
        disciplines: off means one segment a packet, too.
        """
        before = host.features(self.device)
        change = {name: wanted for name in OFFLOADS if before.get(name, wanted) != wanted}
        if change:
            self.journal.note(kind="features", device=self.device, before=before)
            host.switch_features(self.device, change)
        after = host.features(self.device)
        for name in change:
            if after.get(name) != wanted:
                raise HostError(f"{self.device}: {name} cannot be switched {wanted}")
            self._note(name, before[name], after[name])
        if wanted == "off":
            self._one_segment_a_packet()

    def _one_segment_a_packet(self) -> None:
        before = host.link(self.device)["gso_max_segs"]
        self.journal.note(kind="burst", device=self.device, before=before)
        host.set_burst(self.device, 1)
        self._note("gso_max_segs", before, host.link(self.device)["gso_max_segs"])

    def do_qdisc(self, lines: list[str]) -> None:
        """Set the data interface's queue disciplines, the root first."""
        now = host.qdiscs(self.device)
        for each in now:
            if each.get("root") and each["handle"] != "0:":
                raise HostError(
                    f"{self.device} has a queue discipline of its own ({each['kind']} "
                    f"{each['handle']}), which could not be put back exactly; the operator removes "
                    f"it with: tc qdisc del dev {self.device} root"
                )
        before = [each["kind"] for each in now]
        self.journal.note(kind="qdisc", device=self.device, before=before)
        for line in lines:
            host.command(["tc", "qdisc", "add", "dev", self.device, *line.split()])
        after = [each["kind"] for each in host.qdiscs(self.device)]
        self._note("queue disciplines", ", ".join(before), ", ".join(after))

    def _note(self, what: str, before: object, after: object) -> None:
        self.log.append({"what": what, "before": before, "after": after})
