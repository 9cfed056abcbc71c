"""The kernel in virtual time against theory and against published tables."""
