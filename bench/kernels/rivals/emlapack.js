/** `emlapack`: reference LAPACK in asm.js. Its heap of 16 MB has no room for the largest cases. @module */
import { createRequire } from "node:module";
import { lapackCalls } from "./lapack-frame.js";

export const name = "emlapack";

const before = process.listeners("uncaughtException");
const lapack = createRequire(import.meta.url)("emlapack");
// Its listener throws every error again out of its own megabyte-long line.
for (const listener of process.listeners("uncaughtException")) {
  if (!before.includes(listener)) process.off("uncaughtException", listener);
}

/** Of its 16 MB some belong to its stack. */
const ROOM = 9e6;
/** Its BLAS has names of its own. */
const BLAS = ["dgemm", "dsyrk"];

export const call = lapackCalls(
  lapack,
  (symbol) => (BLAS.includes(symbol) ? `_f2c_${symbol}` : `_${symbol}_`),
  ROOM,
);
