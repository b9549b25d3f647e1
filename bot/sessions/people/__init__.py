"""Who somebody is: contacts.yaml, what platforms tell, and one person who has several accounts."""
