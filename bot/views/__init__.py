"""What the house shows to plug-ins with pages, each row through one gate (`sight`)."""
