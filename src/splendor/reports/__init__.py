"""Reviews for people: in the terminal, as a page of their own, as comments of a record, and as tables of many games."""
