"""What is wrong with a pair, and what to do about it."""

from lab_tools.errors import MissingToolError


class PairError(MissingToolError):
    """A pair cannot be used as it is.

    Parameters
    ----------
    reason : what is wrong, and on which host.
    remedy : what to do, and who does it.

    >>> print(PairError("h1 has no ethtool", "as root on h1, run: apt-get install ethtool"))
    h1 has no ethtool. What to do: as root on h1, run: apt-get install ethtool
    """

    def __init__(self, reason: str, remedy: str) -> None:
        self.reason, self.remedy = reason, remedy
        super().__init__(f"{reason.rstrip('.')}. What to do: {remedy}")
