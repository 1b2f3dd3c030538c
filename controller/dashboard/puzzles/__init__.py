"""The Puzzles page's side of the dashboard: searches beside the robot, and what they find."""
