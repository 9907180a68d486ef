"""The weights of the evaluation and of the light policy.

Those of the evaluation were fitted by an earlier form of `benchmarks/fit_evaluation.py` (four rounds of 1000 games);
then the weights of RESERVED and BONUS_NEAR were set by hand. Fits to more games judge positions as well, but choose
worse moves (as greedy, 39 % of 1000 games against these), so these were kept. Those of the policy come from an
evolution strategy that let it play against greedy.
"""

from __future__ import annotations

import numpy as np

Weights = np.ndarray  # as below

# [players - 2, start and end, feature]
# fmt: off
WEIGHTS = np.array([
    [  # 2 players
        [0.29, 0.01, 0.78, 0.23, 0.10, 0.14, 0.12, 0.02, 0.08, 0.02,
         -0.02, 0.05, -0.10, 1.49, 0.49, -0.16, 0.85, 0.25, 0.00],
        [0.42, 0.16, -0.19, -0.14, 0.08, 0.14, -0.11, -0.08, 0.63, 0.07,
         0.35, 0.05, -0.10, 0.96, 0.51, 0.01, 1.44, 0.90, 0.25],
    ],
    [  # 3 players
        [0.22, 0.14, 0.94, 0.35, 0.05, 0.17, 0.14, -0.02, 0.09, 0.01,
         0.07, 0.05, -0.10, 1.82, 1.09, -0.04, 0.66, 0.26, 0.00],
        [0.41, 0.23, -0.26, -0.54, 0.00, 0.08, -0.09, 0.12, 0.70, -0.13,
         0.16, 0.05, -0.10, 1.42, 1.17, -0.10, 1.95, 1.26, 0.65],
    ],
    [  # 4 players
        [0.34, 0.29, 0.88, 0.18, 0.13, 0.13, 0.14, -0.03, 0.25, 0.06,
         0.10, 0.05, -0.10, 1.21, 2.07, -0.04, 0.57, 0.50, 0.00],
        [0.36, 0.22, -0.04, -0.28, 0.03, 0.24, 0.39, -0.13, 0.77, 0.10,
         0.24, 0.05, -0.10, 0.89, 1.50, 0.03, 1.86, 1.54, 1.07],
    ],
])
# fmt: on
POLICY = np.array([0.44, 0.84, -0.17, 1.12, 2.03, 0.43, 1.07, 0.27, 0.35, 1.15, -0.6, 0.31, 2.39, 0.73, -0.28])
for _weights in (WEIGHTS, POLICY):
    _weights.flags.writeable = False
