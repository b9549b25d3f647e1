"""New tools and skills: made in a conversation or imported, and staged until approved."""
