"""What the Robot page shows of earlier days: runs that can be gone on with, and solves."""
