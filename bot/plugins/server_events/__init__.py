"""The events of the server in which somebody writes."""
