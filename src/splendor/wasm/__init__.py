"""The rules, the search and the network as WebAssembly: compiled from the same sources, for browsers and Node."""
