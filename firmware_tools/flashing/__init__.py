"""Images, what flashing one will do, and the jobs that do it."""
