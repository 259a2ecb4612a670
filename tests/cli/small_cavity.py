"""A small case for tests of what is the same for all methods."""

SMALL_CAVITY = {
    "title": "Small cavity",
    "method": "lbm_d2q9",
    "precision": "double",
    "domain": {"nodes": [24, 20]},
    "fluid": {"reynolds": 50, "velocity": 0.05},
    "boundaries": {
        "north": {"type": "wall", "velocity": [1, 0]},
        "south": {"type": "wall"},
        "west": {"type": "wall"},
        "east": {"type": "wall"},
    },
}
