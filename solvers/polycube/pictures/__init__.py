"""Pictures of solutions: isometric drawings of the steps, plans, a viewer for the browser."""
