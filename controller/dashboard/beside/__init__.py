"""What runs in processes beside the dashboard, so that no driving robot waits for it."""
