"""Trace-norm multi-task learning by accelerated proximal gradient in NumPy, timed; JSON on stdout.

Usage: OPENBLAS_NUM_THREADS=1 python3 numpy_trace_norm.py FILE '{"sizes", "d", "lambda", "target"}'

FILE holds X [N, d] then y [N] as float64, tasks of `sizes` rows one after the other; the loss is a sum.
Shorter tasks are padded with zero rows, so that gradients are batched products. Runs until the
objective is within 1e-6 (relative) of `target`, several times, and reports the fastest: the prox by the
eigendecomposition of W^T W, momentum restarted by the gradient scheme.
"""

import json
import sys
import time

import numpy as np

case = json.loads(sys.argv[2])
sizes, d, lam = case["sizes"], case["d"], case["lambda"]
m, n, rows = len(sizes), max(sizes), sum(sizes)
flat = np.fromfile(sys.argv[1])
x, y = np.zeros((m, n, d)), np.zeros((m, n))
start = 0
for task, size in enumerate(sizes):
    x[task, :size] = flat[start * d : (start + size) * d].reshape(size, d)
    y[task, :size] = flat[rows * d + start : rows * d + start + size]
    start += size
xt = np.ascontiguousarray(x.transpose(0, 2, 1))


def fit():
    step = 1 / np.linalg.norm(x, 2, axis=(1, 2)).max() ** 2
    w = previous = np.zeros((m, d))
    k = iterations = 0
    while True:
        iterations += 1
        z = w + k / (k + 3) * (w - previous)
        residual = (x @ z[:, :, None])[:, :, 0] - y
        v = z - step * (xt @ residual[:, :, None])[:, :, 0]
        values, vectors = np.linalg.eigh(v.T @ v)
        s = np.sqrt(np.maximum(values, 0))
        kept = s > step * lam
        u = vectors[:, kept]
        shrunk = (v @ u) * (1 - step * lam / s[kept]) @ u.T
        k = 0 if np.sum((z - shrunk) * (shrunk - w)) > 0 else k + 1
        previous, w = w, shrunk
        nuclear = np.sum(s[kept] - step * lam)
        loss = 0.5 * np.sum(((x @ w[:, :, None])[:, :, 0] - y) ** 2) if iterations % 5 == 0 else np.inf
        if loss + lam * nuclear <= case["target"] * (1 + 1e-6) or iterations == 20000:
            return iterations


times = []
for _ in range(2 if d >= 100 else 8):
    start = time.perf_counter()
    iterations = fit()
    times.append(time.perf_counter() - start)
print(json.dumps({"milliseconds": 1e3 * min(times), "iterations": iterations}))
