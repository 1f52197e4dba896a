"""Labelled calls that planners are fitted to and measured on."""
