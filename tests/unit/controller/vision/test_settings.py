"""What OpenCV is told before it is loaded."""

import subprocess
import sys

TOLD = "import controller.vision, cv2; print(cv2.getNumThreads())"


def test_the_eyes_leave_the_other_cores_alone() -> None:
    found = subprocess.run([sys.executable, "-c", TOLD], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "1"
