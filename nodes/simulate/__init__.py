"""Third step of a trial: an answer made up for a valid call that could not be executed."""
