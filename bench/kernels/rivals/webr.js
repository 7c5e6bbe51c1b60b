/** `webr`: R with reference BLAS and LAPACK in WebAssembly, timed inside R. @module */
import { WebR } from "webr";

export const name = "webr";

const webR = new WebR({ interactive: false });
await webR.init();

const EXPRESSIONS = {
  gemm: "a %*% b",
  syrk: "crossprod(a)",
  eigh: "eigen(a, symmetric = TRUE)",
  svd: "svd(a)",
  cholesky: "chol(a)",
  wishart: "stats::rWishart(1, n + 1, diag(n))",
};
/** R lists by columns. */
const VALUES = {
  gemm: "t(result)",
  syrk: "result",
  eigh: "result$values",
  svd: "result$d",
  cholesky: "result",
};

/** Other rivals are called and timed; this one times itself, for its calls pass between threads. */
export function call({ kernel, shape }, matrices) {
  const expression = EXPRESSIONS[kernel];
  if (!expression) return undefined;
  return {
    async time(milliseconds) {
      await webR.objs.globalEnv.bind("n", shape[0]);
      for (const [i, matrix] of matrices.entries()) {
        const label = "ab"[i];
        await webR.objs.globalEnv.bind(label, Array.from(matrix.data));
        const [rows, columns] = matrix.shape;
        await webR.evalRVoid(`${label} <- matrix(${label}, ${rows}, ${columns}, byrow = TRUE)`);
      }
      const best = await webR.evalRNumber(`{
        best <- Inf
        result <- ${expression}
        stop <- Sys.time() + ${milliseconds / 1000}
        repeat {
          # Single calls can be shorter than the clock's step.
          start <- Sys.time()
          for (i in 1:10) { result <- ${expression}; if (Sys.time() - start > 0.02) break }
          best <- min(best, as.numeric(Sys.time() - start, units = "secs") / i)
          if (Sys.time() > stop) break
        }
        1000 * best }`);
      if (!(kernel in VALUES)) return { best };
      const whole = await webR.evalR(`as.numeric(${VALUES[kernel]})`);
      return { best, values: await whole.toArray() };
    },
  };
}

/** Ends its worker thread. */
export function close() {
  webR.close();
}
