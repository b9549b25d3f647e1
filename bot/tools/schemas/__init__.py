"""JSON Schemas of parameters and results: made from models, checked, and bounded in time."""
