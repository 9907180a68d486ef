"""The network's arithmetic in the form of the rules, for machines that have no library for networks."""
