"""The seam between plans and machines."""
