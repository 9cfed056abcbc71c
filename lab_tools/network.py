"""Networks beyond the dumbbell: sites, the links between them, and what is cut during a run."""

import dataclasses
import itertools
import re
import string
from dataclasses import dataclass
from typing import Self

import networkx as nx

from lab_tools.arrays import number, whole
from lab_tools.errors import InputError, UnknownNameError
from lab_tools.path import Path

#: An interface's name has at most 15 characters; a link's is ``left-right-eth0``.
_SITE_NAME = re.compile(r"[a-z][a-z0-9]{0,3}")


@dataclass(frozen=True)
class Site:
    """A router with hosts of its own, named after the site: ``a1``, ``a2``, …

    Parameters
    ----------
    name : one to four small letters and digits, a letter first.
    hosts : number of hosts.
    """

    name: str
    hosts: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not _SITE_NAME.fullmatch(self.name):
            raise InputError("name", self.name, "one to four small letters and digits, like 'a'")
        whole("hosts", self.hosts, low=0, high=100)

    @property
    def host_names(self) -> tuple[str, ...]:
        """Names of the site's hosts."""
        return tuple(f"{self.name}{number}" for number in range(1, self.hosts + 1))


@dataclass(frozen=True)
class Link:
    """A link between two sites; what is not given is as in the experiment's path.

    Parameters
    ----------
    left, right : names of the sites.
    rate_bps, rtt_s, loss, buffer_bdp, buffer_bytes, qdisc : as in `Path`; the rate and the router's
        buffer hold in each direction, the loss from left to right.
    """

    left: str
    right: str
    rate_bps: float | None = None
    rtt_s: float | None = None
    loss: float | None = None
    buffer_bdp: float | None = None
    buffer_bytes: int | None = None
    qdisc: str | None = None

    def __post_init__(self) -> None:
        if self.left == self.right:
            raise InputError("right", self.right, "another site than left")
        # at the smallest MTU, so that every buffer that some path may have is let through
        self.path(Path(rate_bps=1e9, rtt_s=0.01, mtu_bytes=576))

    @property
    def name(self) -> str:
        """Name of the link: ``left-right``."""
        return f"{self.left}-{self.right}"

    def path(self, base: Path) -> Path:
        """Return what the link is like, as a path of its own.

        Raises
        ------
        InputError : a value is not allowed.
        """
        given = {
            field.name: value
            for field in dataclasses.fields(self)
            if field.name not in ("left", "right")
            and (value := getattr(self, field.name)) is not None
        }
        if "buffer_bdp" in given and "buffer_bytes" not in given:
            given["buffer_bytes"] = None
        return dataclasses.replace(base, **given)


@dataclass(frozen=True)
class Network:
    """Sites and links. Packets take the way of the shortest round-trip time.

    Parameters
    ----------
    sites, links : at least two sites, connected by the links.

    Raises
    ------
    InputError : a name twice, an unknown site, or a site that no link reaches.

    >>> Network.parking_lot(2).hosts
    ('a1', 'b1', 'c1')
    """

    sites: tuple[Site, ...]
    links: tuple[Link, ...]

    def __post_init__(self) -> None:
        names = [site.name for site in self.sites] + list(self.hosts)
        for name in names:
            if names.count(name) > 1:
                raise InputError("sites", name, "a name that no other site or host has")
        sites = [site.name for site in self.sites]
        seen: set[frozenset[str]] = set()
        for link in self.links:
            for end in (link.left, link.right):
                if end not in sites:
                    raise UnknownNameError("link", end, sites)
            if {link.left, link.right} in seen:
                raise InputError("links", link.name, "one link between two sites")
            seen.add(frozenset((link.left, link.right)))
        graph = nx.Graph((link.left, link.right) for link in self.links)
        graph.add_nodes_from(sites)
        if len(sites) < 2 or not nx.is_connected(graph):
            raise InputError("links", len(self.links), "enough to join two sites or more")

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of all hosts."""
        return tuple(host for site in self.sites for host in site.host_names)

    @classmethod
    def parking_lot(cls, hops: int, **link: float | int | str) -> Self:
        """Return sites in a row, each with one host: ``a1`` to the last crosses every hop.

        Parameters
        ----------
        hops : number of links, 1 to 25.
        link : fields of every `Link`.
        """
        whole("hops", hops, low=1, high=25)
        names = string.ascii_lowercase[: hops + 1]
        pairs = itertools.pairwise(names)
        links = tuple(Link(a, b, **link) for a, b in pairs)  # type: ignore[arg-type]
        return cls(tuple(Site(name) for name in names), links)

    @classmethod
    def ring(cls, sites: int, hosts: int = 1, **link: float | int | str) -> Self:
        """Return sites in a ring: there are two ways from each site to every other.

        Parameters
        ----------
        sites : number of sites, 3 to 26.
        hosts : number of hosts at each site.
        link : fields of every `Link`.
        """
        whole("sites", sites, low=3, high=26)
        names = string.ascii_lowercase[:sites]
        pairs = zip(names, names[1:] + names[0], strict=True)
        links = tuple(Link(a, b, **link) for a, b in pairs)  # type: ignore[arg-type]
        return cls(tuple(Site(name, hosts) for name in names), links)


@dataclass(frozen=True)
class Cut:
    """Something that fails during a run: a link, a host, or a site with all its links.

    Parameters
    ----------
    what : name of a link (``"a-b"``), a host (``"a1"``) or a site (``"a"``); without a network,
        ``"path"``, ``"h1"`` or ``"h2"``.
    at_s : when, in seconds after the run begins.
    until_s : when it is mended; without a value, never.
    reroute_s : time until the routers know of it and use another way, in seconds; without a
        value, never.
    """

    what: str
    at_s: float
    until_s: float | None = None
    reroute_s: float | None = None

    def __post_init__(self) -> None:
        number("at_s", self.at_s, low=0)
        if self.until_s is not None:
            number("until_s", self.until_s, above=self.at_s)
        if self.reroute_s is not None:
            number("reroute_s", self.reroute_s, low=0)
