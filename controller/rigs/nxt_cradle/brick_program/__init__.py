"""The program that plays scripts of motions on the brick, and what the host says to it.

`player.nxc` is its source, `player.rxe` what `make brick-program` compiles from it.
"""
