"""PPSGD, PMTL of the workshop version and joint DP-SGD, written down from their descriptions: prints averaging.json, the figures that
averaging.test.ts holds the library to. Noise is left out; gradients are those of (1/2n) sum (x w - y)^2. Run: python3 averaging.py
"""

import json

import numpy as np

M, D = 5, 3


def tasks():
    found = []
    for i in range(M):
        n = 4 + i
        x = np.array([[np.sin(1.3 * i + 0.7 * j + 2.1 * k + 0.5) for k in range(D)] for j in range(n)])
        y = np.array([np.cos(0.9 * i - 0.4 * j) * (1 + 0.3 * i) for j in range(n)])
        found.append((x, y))
    return found


def gradient(task, w):
    x, y = task
    return x.T @ (x @ w - y) / len(y)


def clipped(v, bound):
    norm = np.linalg.norm(v)
    return v if norm <= bound else v * (bound / norm)


def ppsgd(data, rounds, eta, alpha, clip):
    w, theta = np.zeros(D), np.zeros((M, D))
    for _ in range(rounds):
        g = np.array([gradient(task, w + theta[i]) for i, task in enumerate(data)])
        theta = theta - alpha * eta * g
        w = w - eta * np.mean([clipped(row, clip) for row in g], axis=0)
    return w + theta


def projected(data, rounds, eta, lam, radius, steps, average):
    center, models, seen = np.zeros(D), np.zeros((M, D)), []
    for _ in range(rounds):
        for i, task in enumerate(data):
            for _ in range(steps):
                models[i] = clipped(models[i] - eta * (gradient(task, models[i]) + lam * (models[i] - center)), radius)
        seen.append(models.copy())
        center = models.mean(axis=0)
    return np.mean(seen, axis=0) if average else models


def joint(data, rounds, eta, lam, clip):
    models = np.zeros((M, D))
    for _ in range(rounds):
        center = models.mean(axis=0)
        blocks = [clipped(gradient(task, w) + lam * (w - center), clip) for task, w in zip(data, models)]
        models = models - eta * np.array(blocks)
    return models


data = tasks()
figures = {}
for rounds in (1, 5):
    figures[f"ppsgd {rounds}"] = ppsgd(data, rounds, 0.5, 0.6, 0.4)
    figures[f"projected {rounds}"] = projected(data, rounds, 0.7, 0.3, 0.8, 3, False)
    figures[f"averaged {rounds}"] = projected(data, rounds, 0.7, 0.3, 0.8, 3, True)
    figures[f"joint {rounds}"] = joint(data, rounds, 0.5, 0.3, 0.4)
print(json.dumps({name: value.ravel().tolist() for name, value in figures.items()}, indent=1))
