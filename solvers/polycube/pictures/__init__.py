"""Pictures of solutions: text layers, isometric drawings of the steps, a viewer for the browser."""
