"""What happens in the rig within a millisecond: the compiled part."""
