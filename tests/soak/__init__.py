"""Many cubes with everything that may go wrong, and a judge who looks at the true one."""
