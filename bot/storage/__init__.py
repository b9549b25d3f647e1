"""Storage: the database with its units, migrations, the home's lock, markdown files, blobs."""
