"""The compiled parts of the tree search."""
