/** What the runs of planted faults need of the project's settings: they decide themselves what tests there are, and what these share. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: {
      "#kernels": fileURLToPath(new URL("../../src/core/builds/packed-bytes.ts", import.meta.url)),
    },
  },
  test: {
    env: { XDG_STATE_HOME: fileURLToPath(new URL("../../build/test-states", import.meta.url)) },
    setupFiles: ["test/setup.ts"],
  },
});
