/**
 * `OpenBLAS`, with its LAPACK from C, built with Emscripten by whoever runs the bench: nothing of it is part of the project.
 * `MP_MTL_OPENBLAS` names the module, made with `-s MODULARIZE=1 -s ALLOW_MEMORY_GROWTH=1`, `malloc`, `free` and
 * `dgemm_`, `dsyrk_`, `dpotrf_`, `dsyevd_`, `dgesdd_` exported.
 * @module
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { lapackCalls } from "./lapack-frame.js";

export const name = "openblas";

const path = process.env["MP_MTL_OPENBLAS"];
if (path === undefined) throw new Error("MP_MTL_OPENBLAS names no module of OpenBLAS");
// Emscripten before 3.1.8 would fetch it by its path, which Node 18 and later refuse.
const wasmBinary = readFileSync(resolve(path).replace(/\.c?js$/, ".wasm"));
const blas = await createRequire(import.meta.url)(resolve(path))({ wasmBinary });

export const call = lapackCalls(blas, (symbol) => `_${symbol}_`);
