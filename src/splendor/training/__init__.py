"""Training: a network that learns the game from playing against itself, on a GPU or, at toy size, on the CPU.

    config      the settings
    machine     where the loops over games run: CPU or GPU;  kernels  the loops as GPU programs
    model       the network for PyTorch;  fused  its blocks as GPU programs;  judge  a frozen copy that only plays
    games       many games in lock-step, as tensors;  grove  a tree search in each of them
    selfplay    games played by the network, and what it should have said about them
    learner     gradient steps, the average of the weights, checkpoints
    ladder      matches against fixed players and earlier networks
    run         the loop around all of it: clock, log, snapshots, resume
    export      the trained network as an ONNX file, which `splendor.network` plays with
    curves      the log as a drawing

Only this package needs PyTorch. `docs/training.md` says how the shipped network was made.
"""
