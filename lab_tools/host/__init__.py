"""Programs that run on a host of the network by themselves: standard library only."""
