"""What somebody is told and shown who shows a cube to a camera by hand."""
