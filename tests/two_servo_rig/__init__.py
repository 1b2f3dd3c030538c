"""A second make of rig, after CUBOTino: two servos, no arm. It proves docs/another-rig.md."""
