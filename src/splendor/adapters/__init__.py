"""Splendor for the libraries of reinforcement learning: thin translations, without a rule of their own.

Each adapter is imported by its name, and only then needs the library it is for (`pip install splendor[rl]`):

    splendor.adapters.pettingzoo   an agent for each seat, in turn (AEC)
    splendor.adapters.gymnasium    one agent against chosen players; thousands of games in lock-step
    splendor.adapters.torch_env    the same on Torch tensors, on a GPU where there is one
    splendor.adapters.openspiel    a game tree with chance nodes and information states

`docs/research.md` describes spaces, rewards, seeds and speed.
"""
