/** Lines of the table of parties and units. */
import { expect, test } from "vitest";
import { protectionLine } from "../../../src/cli/fitted/guarantee-text.js";
import type { Protection } from "../../../src/privacy/index.js";

const line = { of: "record", against: "other tasks", epsilon: 0.5, delta: 1e-5 } as Protection;

test("a line names its first tasks and counts the others, so that a thousand owners stay a line", () => {
  expect(protectionLine(line)).toBe("record against other tasks: (0.5, 0.00001)-DP");
  expect(protectionLine({ ...line, tasks: ["p1", "p2"] })).toContain(
    'record of "p1", "p2" against',
  );
  const tasks = Array.from({ length: 1000 }, (_, i) => `p${i}\u001b`);
  const long = protectionLine({ ...line, tasks });
  expect(long).toContain(" and 995 more against other tasks");
  expect(long).not.toContain("\u001b");
  expect(long.length).toBeLessThan(150);
});
