"""The vocabulary of GRETEL: records and protocols that every room shares, and no logic.

Records are frozen pydantic models, so that they validate what they are given and turn into plain
JSON (`model_dump(mode="json")`) at the border of the graph's state. Failure of the thing tried is
a value (`Outcome`, `Refusal`); breakage of our own machinery is an exception (`errors`).
"""
