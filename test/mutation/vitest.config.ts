/** What the runs of planted faults need of the project's settings: they decide themselves what tests there are, and what these share. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: {
      "#kernels": new URL("../../src/core/builds/packed-bytes.ts", import.meta.url).pathname,
    },
  },
  test: {
    env: { XDG_STATE_HOME: new URL("../../build/test-states", import.meta.url).pathname },
    setupFiles: ["test/setup.ts"],
  },
});
