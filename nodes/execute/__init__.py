"""Second step of a trial: a person is asked where needed, and the sandbox runs the plan."""
