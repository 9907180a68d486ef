// Written by web/scripts/engine_layout.py from the package; do not edit.

export const LEVELS = {"apprentice": "network:temperature=0.022", "journeyman": "network:temperature=0.014", "artisan": "network:temperature=0.008", "master": "network", "grandmaster": "network:simulations=1600,time=2"} as const
