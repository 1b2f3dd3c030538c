"""Home, found by feeling for it, and motors that are moved by hand."""
