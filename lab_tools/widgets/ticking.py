"""Call a function again and again on the notebook kernel's own loop, between its messages.

Widgets are not safe to change from another thread; on the loop, no lock is needed.
"""

import asyncio
from collections.abc import Callable

#: Wall time between two looks at a run, in seconds: eight updates a second.
PERIOD_S = 0.125

#: Calls a function each time its period has passed, until it returns False.
Ticker = Callable[[Callable[[], bool]], None]


def tick(function: Callable[[], bool]) -> None:
    """Call a function every `PERIOD_S` until it returns False; needs a running loop."""
    loop = asyncio.get_running_loop()

    def again() -> None:
        if function():
            loop.call_later(PERIOD_S, again)

    loop.call_later(PERIOD_S, again)
