/**
 * `OpenBLAS`, with its LAPACK from C, built by whoever runs the bench: nothing of it is part of the project.
 * `MP_MTL_OPENBLAS` names the module, whose name but for `.wasm` its WebAssembly has, too: as Emscripten makes it with
 * `-s MODULARIZE=1 -s ALLOW_MEMORY_GROWTH=1`, `malloc`, `free` and `dgemm_`, `dsyrk_`, `dpotrf_`, `dsyevd_`, `dgesdd_` exported; or a function of
 * `{ wasmBinary }`, whichever compiler it comes from, that gives these with an underscore in front, and `HEAPU8`, `HEAP32`, `HEAPF64`.
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
