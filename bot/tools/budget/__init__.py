"""What calls may cost: limits, prices, and what was used."""
