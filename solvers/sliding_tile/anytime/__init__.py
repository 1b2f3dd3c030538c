"""Good solutions at once and ever better ones, of boards whose shortest ones take too long."""
