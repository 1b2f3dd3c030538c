"""The experiments that the Ubongo thesis (2024) asks for; `bench_ubongo_study.py` runs them."""
