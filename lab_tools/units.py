"""Text with units, such as ``"10 Gbit/s"``, becomes SI numbers here, at the edge, and only here."""

import math
from functools import cache

import pint

from lab_tools.errors import InputError

_DEFINITIONS = """
kilo- = 1e3 = k-
mega- = 1e6 = M-
giga- = 1e9 = G-
tera- = 1e12 = T-
milli- = 1e-3 = m-
micro- = 1e-6 = u- = µ-
nano- = 1e-9 = n-
kibi- = 1024 = Ki-
mebi- = 1048576 = Mi-
gibi- = 1073741824 = Gi-
second = [time] = s = _ = sec
minute = 60 * second = min
bit = [information] = bit = _ = b
byte = 8 * bit = B = octet
"""

_PLAIN_RATES = {"bps": "bit/s", "Bps": "B/s"}


@cache
def _registry() -> "pint.UnitRegistry[float]":
    return pint.UnitRegistry(_DEFINITIONS.splitlines(), cache_folder=None)


def _parse(field: str, text: object, unit: str, example: str) -> float:
    if isinstance(text, bool):
        raise InputError(field, text, f"a quantity such as {example}")
    if isinstance(text, (int, float)):
        return float(text)
    allowed = f"a quantity such as {example}"
    if not isinstance(text, str):
        raise InputError(field, text, allowed)
    words = text.strip().replace("KB", "kB").replace("Kb", "kb")
    for plain, proper in _PLAIN_RATES.items():
        words = words.replace(plain, proper)
    try:
        value = float(words)
    except ValueError:
        pass
    else:
        return value
    try:
        value = float(f"{_registry().Quantity(words).to(unit).magnitude:.12g}")
    except Exception as error:  # pint raises many kinds: each means "not such a quantity"
        raise InputError(field, text, allowed) from error
    if not math.isfinite(value):
        raise InputError(field, text, allowed)
    return value


def rate_bps(text: object, field: str = "rate") -> float:
    """Parse a rate into bit/s; a plain number is in bit/s already.

    Raises
    ------
    InputError : the text is not a rate.

    >>> rate_bps("10 Gbit/s"), rate_bps("100 Mbps"), rate_bps(5e6)
    (10000000000.0, 100000000.0, 5000000.0)
    """
    return _parse(field, text, "bit/s", '"10 Gbit/s" or "100 Mbit/s"')


def time_s(text: object, field: str = "time") -> float:
    """Parse a time into seconds; a plain number is in seconds already.

    Raises
    ------
    InputError : the text is not a time.

    >>> time_s("100 ms"), time_s("2 min"), time_s(0.5)
    (0.1, 120.0, 0.5)
    """
    return _parse(field, text, "second", '"100 ms" or "20 s"')


def size_bytes(text: object, field: str = "size") -> int:
    """Parse a size into whole bytes; a plain number is in bytes already.

    Raises
    ------
    InputError : the text is not a size, or not a whole number of bytes.

    >>> size_bytes("250 MB"), size_bytes("64 KiB"), size_bytes(1460)
    (250000000, 65536, 1460)
    """
    value = _parse(field, text, "byte", '"250 MB" or "64 KiB"')
    if value != round(value):
        raise InputError(field, text, "a whole number of bytes")
    return round(value)


def fraction(text: object, field: str = "fraction") -> float:
    """Parse a fraction: ``0.001``, ``"0.1 %"`` or ``"1/22000"``.

    Raises
    ------
    InputError : the text is not a fraction.

    >>> fraction("0.1 %"), fraction("1/1000"), fraction(0.5)
    (0.001, 0.001, 0.5)
    """
    allowed = 'a fraction such as 0.001, "0.1 %" or "1/22000"'
    try:
        if isinstance(text, str) and text.strip().endswith("%"):
            return float(text.strip()[:-1]) / 100
        if isinstance(text, str) and "/" in text:
            numerator, denominator = text.split("/")
            return float(numerator) / float(denominator)
        if isinstance(text, (str, int, float)) and not isinstance(text, bool):
            return float(text)
    except (ValueError, ZeroDivisionError) as error:
        raise InputError(field, text, allowed) from error
    raise InputError(field, text, allowed)


_RATE_STEPS = ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1e3, "kbit/s"), (1.0, "bit/s"))
_TIME_STEPS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_SIZE_STEPS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))


def _show(value: float, steps: tuple[tuple[float, str], ...], digits: int) -> str:
    for factor, name in steps:
        if abs(value) >= factor:
            return f"{value / factor:.{digits}g} {name}"
    factor, name = steps[-1]
    return f"{value / factor:.{digits}g} {name}"


def show_rate(rate: float, digits: int = 4) -> str:
    """Say a rate in bit/s the way people do.

    >>> show_rate(9.928e9)
    '9.928 Gbit/s'
    """
    return _show(rate, _RATE_STEPS, digits)


def show_time(time: float, digits: int = 4) -> str:
    """Say a time in seconds the way people do.

    >>> show_time(0.1)
    '100 ms'
    """
    return _show(time, _TIME_STEPS, digits)


def show_size(size: float, digits: int = 4) -> str:
    """Say a size in bytes the way people do.

    >>> show_size(125e6)
    '125 MB'
    """
    return _show(size, _SIZE_STEPS, digits)
