"""A campaign over privacy between people: secrets, an obedient model, and the search for both."""
