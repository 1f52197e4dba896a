"""Readers of judged data: a folder of a public data set to a catalogue with judged requests."""
