"""Reservation: the four bandwidth-scheduling problems of a network of dedicated channels."""

from lab_tools.reservation.calendar import LinkCalendar, link_starts, reserve_link, slot_rate
from lab_tools.reservation.feasible import feasible_path
from lab_tools.reservation.graph import (
    ReservationGraph,
    check_ends,
    link_calendar,
    reservation_graph,
    reserve_path,
)
from lab_tools.reservation.intervals import (
    Intervals,
    intersect_intervals,
    interval_sequence,
    unite_intervals,
)
from lab_tools.reservation.starts import EarliestStart, all_starts, earliest_start
from lab_tools.reservation.widest import WidestPath, widest_path

__all__ = [
    "EarliestStart",
    "Intervals",
    "LinkCalendar",
    "ReservationGraph",
    "WidestPath",
    "all_starts",
    "check_ends",
    "earliest_start",
    "feasible_path",
    "intersect_intervals",
    "interval_sequence",
    "link_calendar",
    "link_starts",
    "reservation_graph",
    "reserve_link",
    "reserve_path",
    "slot_rate",
    "unite_intervals",
    "widest_path",
]
