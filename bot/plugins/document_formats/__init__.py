"""Reads documents, pictures, mails and archives that people attach, add and fetch."""
