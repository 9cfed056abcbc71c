"""The agent that runs on each host of a pair: standard library only, Python 3.9 or later."""
