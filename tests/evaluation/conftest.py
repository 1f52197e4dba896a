"""Runs that the tests below share stand in `small_runs.py` and `report_runs.py`."""
