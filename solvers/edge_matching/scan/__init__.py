"""Search that fills cell after cell, in an order that is chosen before it starts."""
