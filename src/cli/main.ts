#!/usr/bin/env node
/**
 * The program `mp-mtl`. Node 22 and newer keep its compiled code in the folder for temporary files, where
 * nothing forbids that (NODE_DISABLE_COMPILE_CACHE does), and later starts spare themselves the compiling.
 * @module
 */
import module from "node:module";

(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
await import("./program.js");
