"""The default testbed: Mininet inside a User-Mode Linux kernel in virtual time."""
