"""The turn engine among several processes over one database."""
