"""Lower bounds for the search: one module for each way to compute them."""
