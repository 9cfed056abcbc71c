"""What Ethernet, IP and TCP headers leave of a link's rate."""

from numpy.typing import ArrayLike

from lab_tools.arrays import FloatArray
from lab_tools.errors import DataError
from lab_tools.models._inputs import check_broadcast, positive, quantity

ETHERNET_BYTES = 38
"""Preamble 8, header 14, check sequence 4, inter-packet gap 12 bytes; IEEE 802.3.

A Linux shaper such as tbf counts the header's 14 bytes alone."""

IPV4_BYTES = 20
"""Header without options, bytes; RFC 791 §3.1."""

IPV6_BYTES = 40
"""Header without extensions, bytes; RFC 8200 §3."""

TCP_BYTES = 20
"""Header without options, bytes; RFC 9293 §3.1."""

TIMESTAMP_BYTES = 12
"""Timestamps option padded to four bytes, on by default in Linux; RFC 7323 §3.2."""


def mss_for_mtu(
    mtu_bytes: ArrayLike,
    ip_header_bytes: ArrayLike = IPV4_BYTES,
    tcp_options_bytes: ArrayLike = TIMESTAMP_BYTES,
) -> FloatArray:
    """Payload of a full segment: the MTU without the IP and TCP headers.

    Parameters
    ----------
    mtu_bytes : largest IP packet in bytes.
    ip_header_bytes : `IPV4_BYTES` or `IPV6_BYTES`.
    tcp_options_bytes : options in every segment, `TIMESTAMP_BYTES` or 0.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    bytes, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, the shapes do not broadcast, or the MTU has no
        room for a payload.

    Source: RFC 9293 §3.7.1. The MSS option in a SYN (1460 for an MTU of 1500) does not count
    the options that every segment carries; this function does.

    >>> mss_for_mtu([1500, 9000])
    array([1448., 8948.])
    """
    mtu_bytes = positive("mtu_bytes", mtu_bytes)
    ip_header_bytes = positive("ip_header_bytes", ip_header_bytes)
    tcp_options_bytes = quantity("tcp_options_bytes", tcp_options_bytes, low=0)
    check_broadcast(
        mtu_bytes=mtu_bytes, ip_header_bytes=ip_header_bytes, tcp_options_bytes=tcp_options_bytes
    )
    mss_bytes = mtu_bytes - ip_header_bytes - TCP_BYTES - tcp_options_bytes
    if (mss_bytes <= 0).any():
        raise DataError("mtu_bytes", f"has the value {mtu_bytes.min():g}", "room for a payload")
    return mss_bytes


def link_efficiency(
    mss_bytes: ArrayLike,
    link_bytes: ArrayLike = ETHERNET_BYTES,
    ip_header_bytes: ArrayLike = IPV4_BYTES,
    tcp_options_bytes: ArrayLike = TIMESTAMP_BYTES,
) -> FloatArray:
    """Share of a link's rate that is payload: ``MSS / (MSS + TCP + IP + link)``.

    Parameters
    ----------
    mss_bytes : payload of a full segment in bytes.
    link_bytes : bytes the link adds to each packet; `ETHERNET_BYTES`, or 14 at a Linux shaper.
    ip_header_bytes, tcp_options_bytes : as in `mss_for_mtu`.
        Numbers or arrays; the shapes broadcast.

    Returns
    -------
    share between 0 and 1, of the broadcast shape.

    Raises
    ------
    InputError, DataError : a value is out of range, or the shapes do not broadcast.

    Source: the sizes of IEEE 802.3, RFC 791 and RFC 9293; full segments, ACKs not counted.

    >>> link_efficiency([1448, 8948]).round(4)
    array([0.9415, 0.99  ])
    """
    mss_bytes = positive("mss_bytes", mss_bytes)
    link_bytes = quantity("link_bytes", link_bytes, low=0)
    ip_header_bytes = positive("ip_header_bytes", ip_header_bytes)
    tcp_options_bytes = quantity("tcp_options_bytes", tcp_options_bytes, low=0)
    check_broadcast(
        mss_bytes=mss_bytes,
        link_bytes=link_bytes,
        ip_header_bytes=ip_header_bytes,
        tcp_options_bytes=tcp_options_bytes,
    )
    return mss_bytes / (mss_bytes + TCP_BYTES + tcp_options_bytes + ip_header_bytes + link_bytes)
