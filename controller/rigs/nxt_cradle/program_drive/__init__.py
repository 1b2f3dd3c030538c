"""The drive by a program on the brick that plays scripts of overlapping motions.

`player.nxc` is its source, `player.rxe` what `make brick-program` compiles from it.
"""
