"""What the benchmark of the dashboard watches, in processes of their own."""
