"""The Puzzles page's work in processes beside the dashboard: searches, pictures, cards."""
