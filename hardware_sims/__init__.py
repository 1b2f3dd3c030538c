"""Runnable stand-ins for the NXT brick with its cube rig and for the AKSEN board."""
