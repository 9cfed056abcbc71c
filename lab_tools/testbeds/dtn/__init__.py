"""A pair of physical hosts over SSH; `docs/dtn.md` says how to set one up."""
