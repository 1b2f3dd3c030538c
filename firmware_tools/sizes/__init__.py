"""Sizes of a linked program: code, data and worst-case stack."""
