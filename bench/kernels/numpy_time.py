"""Best time in milliseconds of one NumPy linear-algebra call, printed as JSON.

Usage: OPENBLAS_NUM_THREADS=1 python3 numpy_time.py '{"kernel": "eigh", "shape": [30]}'
"""

import json
import sys
import time

import numpy as np

case = json.loads(sys.argv[1])
shape = case["shape"]
rng = np.random.default_rng(0)


def matrix(rows, cols):
    return rng.standard_normal((rows, cols))


def make():
    kernel = case["kernel"]
    if kernel == "eigh":
        a = matrix(shape[0], shape[0])
        a = a + a.T
        return lambda: np.linalg.eigh(a)
    if kernel.startswith("svd"):
        a = matrix(*shape)
        if kernel != "svd":
            u, s, v = np.linalg.svd(a, full_matrices=False)
            a = (u * float(kernel[4:]) ** (np.arange(len(s)) / (len(s) - 1))) @ v
        return lambda: np.linalg.svd(a, full_matrices=False)
    if kernel == "gemm":
        a, b = matrix(shape[0], shape[1]), matrix(shape[1], shape[2])
        return lambda: a @ b
    if kernel == "syrk":
        a = matrix(*shape)
        return lambda: a.T @ a
    if kernel == "cholesky":
        a = matrix(shape[0] + 5, shape[0])
        a = a.T @ a
        return lambda: np.linalg.cholesky(a)
    if kernel == "wishart":
        # Bartlett: d + 1 degrees of freedom, as the two-sided mechanism draws it.
        d = shape[0]
        freedom = np.arange(d + 1, 1, -1)

        def draw():
            factor = np.tril(rng.standard_normal((d, d)), -1)
            np.fill_diagonal(factor, np.sqrt(rng.chisquare(freedom)))
            return factor @ factor.T

        return draw
    if kernel == "gradients softmax":
        m, n, d, classes = shape
        x, w = matrix(m, n * d).reshape(m, n, d), matrix(m, d * classes).reshape(m, d, classes)
        y = rng.integers(0, classes, (m, n))
        xt = np.ascontiguousarray(x.transpose(0, 2, 1))
        chosen = np.eye(classes)[y]

        def softmax_gradients():
            z = x @ w
            top = z.max(axis=2, keepdims=True)
            e = np.exp(z - top)
            total = e.sum(axis=2, keepdims=True)
            losses = np.sum(np.log(total) + top, axis=(1, 2)) - np.sum(z * chosen, axis=(1, 2))
            return xt @ (e / total - chosen), losses

        return softmax_gradients
    if kernel.startswith("gradients"):
        m, n, d = shape
        x, w = matrix(m, n * d).reshape(m, n, d), matrix(m, d)
        y = np.sign(matrix(m, n))
        xt = np.ascontiguousarray(x.transpose(0, 2, 1))

        def gradients():
            p = (x @ w[:, :, None])[:, :, 0]
            if kernel == "gradients squared":
                slopes = p - y
                losses = 0.5 * np.sum(slopes * slopes, axis=1)
            else:
                margins = y * p
                e = np.exp(-np.abs(margins))
                slopes = -y * np.where(margins >= 0, e, 1.0) / (1.0 + e)
                losses = np.sum(np.log1p(e) + np.maximum(0.0, -margins), axis=1)
            return (xt @ slopes[:, :, None])[:, :, 0], losses

        return gradients
    raise SystemExit(f"unknown kernel {kernel}")


call = make()
call()
start = time.process_time()
call()
# As in timing.js: the processor's time of long calls.
clock = time.process_time if time.process_time() - start > 0.002 else time.perf_counter
best = float("inf")
stop = clock() + case.get("seconds", 0.5)
while True:
    start = clock()
    call()
    best = min(best, clock() - start)
    if clock() > stop:
        break
print(json.dumps({"milliseconds": 1e3 * best, "version": np.__version__}))
