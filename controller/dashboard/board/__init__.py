"""The AKSEN board's side of the dashboard: what its page shows, and what its buttons do."""
