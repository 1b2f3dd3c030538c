"""`python -m hardware_sims.cli`: the same as `hwsim`, wherever the script of that name is."""

import sys

from hardware_sims.cli import main

if __name__ == "__main__":
    sys.argv[0] = "hwsim"
    main()
