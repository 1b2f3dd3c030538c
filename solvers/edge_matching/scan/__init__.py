"""Lays tiles cell after cell in an order that is chosen before the search begins."""
