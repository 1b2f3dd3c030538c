"""Notices what goes wrong in a job, and mends it, within bounds."""
