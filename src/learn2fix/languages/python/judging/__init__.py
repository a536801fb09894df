"""All candidates of a Python file in few programs with switches, run in one warm interpreter."""
