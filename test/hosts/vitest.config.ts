/** The tests of real hosts: `npm run test:hosts`, apart from the unit tests. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.hosts.ts"],
    globalSetup: ["scratch.ts"],
    // One file at a time: frame gaps are measured, and the hosts want the cores.
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
