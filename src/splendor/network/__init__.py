"""A trained network at work: run by onnxruntime, on rotated colors too, and what it thinks before any search."""

from splendor.network.network import AllRotations, Critic, Network, load_network

__all__ = ["AllRotations", "Critic", "Network", "load_network"]
