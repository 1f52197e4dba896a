"""Scores of any pipeline on any data set, counted whole, resumable, with significance."""
