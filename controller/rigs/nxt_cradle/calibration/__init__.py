"""What is measured on one owner's rig."""
