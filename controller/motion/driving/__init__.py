"""Plays a plan on a mechanism and keeps the record from which an interrupted run goes on."""
