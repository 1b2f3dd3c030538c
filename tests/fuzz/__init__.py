"""Every reader of the project fed with damaged input: what comes out is a result or a sentence."""
