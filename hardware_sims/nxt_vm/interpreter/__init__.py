"""Compiled kernels that execute instructions on one `machine_state.MACHINE` record."""
