import { defineConfig } from "vitest/config";

export default defineConfig({
  // The package's own import, taken from the sources instead of from dist/.
  resolve: {
    alias: { "#kernels": new URL("src/core/builds/packed-bytes.ts", import.meta.url).pathname },
  },
  test: {
    include: ["test/**/*.test.ts"],
    // Many tests wait for servers, browsers and processes: no core is kept free.
    maxWorkers: "100%",
    testTimeout: 60_000,
    // Packing and installing take their time on a busy machine.
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/core/bytes/**", "src/core/builds/workerd.ts", "src/**/index.ts"],
      reporter: ["text-summary", "html"],
      thresholds: { lines: 88, functions: 85, branches: 78 },
    },
  },
});
