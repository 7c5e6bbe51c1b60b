import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      exclude: ["src/core/bytes/**", "src/**/index.ts"],
      reporter: ["text-summary", "html"],
      thresholds: { lines: 88, functions: 85, branches: 78 },
    },
  },
});
