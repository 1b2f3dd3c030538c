"""Images, plans for flashing them, and the jobs that do it."""
