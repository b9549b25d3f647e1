"""What `build_app` puts together, part by part; nothing else builds anything."""
