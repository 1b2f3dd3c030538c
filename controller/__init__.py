"""Scans, solves, plans and drives the NXT cube robot."""
