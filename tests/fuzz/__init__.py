"""Every reader of the project fed with damaged input: what comes out is a result or a sentence."""

import controller.vision  # noqa: F401 - limits OpenCV, which has to be loaded after it
