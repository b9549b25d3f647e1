"""What Slack shows beside conversations: the App Home, shortcuts, steps of workflows."""
