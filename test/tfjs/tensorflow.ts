/**
 * TensorFlow.js with its CPU backend and its gradients, which are published as modules that Node does not take for such: esbuild makes
 * one file of them, as a user's bundler would.
 * @module
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type * as TensorFlow from "@tensorflow/tfjs-core";
import { temporaryFolder } from "../temporary.js";

const require = createRequire(import.meta.url);

/** The library, ready to differentiate. */
export function loadTensorFlow(): typeof TensorFlow {
  const outfile = join(temporaryFolder(), "gradients.cjs");
  const entry = require.resolve("@tensorflow/tfjs-core/dist/register_all_gradients.js");
  buildSync({ entryPoints: [entry], bundle: true, format: "cjs", platform: "node", outfile });
  require("@tensorflow/tfjs-backend-cpu");
  require(outfile);
  return require("@tensorflow/tfjs-core") as typeof TensorFlow;
}
