"""A position as a picture, from the drawings of the web client: for links that are pasted somewhere."""
