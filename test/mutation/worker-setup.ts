/**
 * Runs before every test file of a mutation run: writes down what each test reached, if asked to, and has properties
 * fail at once instead of looking for the smallest counterexample.
 * @module
 */
import { appendFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import type { Reached } from "./reach.js";

fc.configureGlobal({ endOnFailure: true });

const to = process.env["MP_MTL_REACH"];
if (to !== undefined) {
  const now = new Set<string>();
  (globalThis as { reached?: (part: string) => void }).reached = (part) => now.add(part);
  const take = () => {
    const parts = [...now];
    now.clear();
    return parts;
  };
  const outside: string[] = [];
  const tests: Record<string, string[]> = {};
  const start = performance.now();
  beforeEach(() => {
    outside.push(...take());
  });
  afterEach(({ task }) => {
    let name = task.name;
    for (let { suite } = task; suite; suite = suite.suite) name = `${suite.name} ${name}`;
    tests[name] = [...(tests[name] ?? []), ...take()];
  });
  afterAll(() => {
    outside.push(...take());
    const test = expect.getState().testPath!;
    const found: Reached = {
      test,
      outside: [...new Set(outside)],
      tests,
      ms: performance.now() - start,
    };
    appendFileSync(to, `${JSON.stringify(found)}\n`);
  });
}
