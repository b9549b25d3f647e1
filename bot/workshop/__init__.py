"""Where new tools and skills come from: made in a conversation, or imported from elsewhere, and staged until a yes."""
