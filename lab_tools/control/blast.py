"""What a rate-based blast protocol wastes: packets lost, and packets sent twice for nothing."""

from dataclasses import dataclass

from lab_tools.arrays import number


@dataclass(frozen=True)
class BlastSummary:
    """Where the bits of a blast transfer went.

    Attributes
    ----------
    goodput_bps : file bits over the transfer time.
    arriving_bps : what arrived, duplicates included.
    efficiency : goodput over the rate sent, in [0, 1] for consistent numbers.
    duplicate_share : share of the arrivals that the receiver had already; negative if the numbers
        contradict each other.
    """

    goodput_bps: float
    arriving_bps: float
    efficiency: float
    duplicate_share: float


def blast_summary(
    sent_bps: float, loss: float, file_bytes: float, duration_s: float
) -> BlastSummary:
    """Split a blast transfer into goodput, losses and duplicates.

    ``goodput = 8 bytes / duration``, ``arriving = (1 - loss) sent``; what arrives beyond the
    goodput is taken for duplicates (an inference: the protocol does not report them).

    Parameters
    ----------
    sent_bps : mean sending rate, above 0.
    loss : share of the packets lost, in [0, 1).
    file_bytes : size of the file, above 0.
    duration_s : time of the transfer, above 0.

    Raises
    ------
    InputError : a value out of range.

    Tsunami between ORNL and Georgia Tech (Rao 2003):

    >>> summary = blast_summary(296.05e6, loss=0.6432, file_bytes=204_800_000, duration_s=17.51)
    >>> round(summary.goodput_bps / 1e6, 2), round(summary.efficiency, 2)
    (93.57, 0.32)
    """
    sent = number("sent_bps", sent_bps, above=0)
    arriving = (1.0 - number("loss", loss, low=0, below=1)) * sent
    bits = 8.0 * number("file_bytes", file_bytes, above=0)
    goodput = bits / number("duration_s", duration_s, above=0)
    return BlastSummary(goodput, arriving, goodput / sent, 1.0 - goodput / arriving)
