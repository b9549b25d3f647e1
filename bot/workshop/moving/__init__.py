"""Moving in: what another assistant's home holds, read with distrust and staged for a yes."""
