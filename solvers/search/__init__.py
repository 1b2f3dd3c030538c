"""Search algorithms that know no puzzle."""
