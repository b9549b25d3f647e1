"""Pages on which strangers book free times of people who want that."""
