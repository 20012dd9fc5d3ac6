"""The night shift: summing up the day and letting fade what is never recalled."""
