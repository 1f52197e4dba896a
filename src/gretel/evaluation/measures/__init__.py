"""Measures of rankings, abstention and argument planning, and tests of significance."""
