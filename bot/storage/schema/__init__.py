"""The tables of a new home: one file for each database."""
