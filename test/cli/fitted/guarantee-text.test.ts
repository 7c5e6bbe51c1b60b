/** Lines of the table of parties and units. */
import { expect, test } from "vitest";
import { guaranteeLines, protectionLine } from "../../../src/cli/fitted/guarantee-text.js";
import { PrivateFedAvg } from "../../../src/learning/index.js";
import type { Protection } from "../../../src/privacy/index.js";
import { makeTasks } from "../../learning/tasks.js";

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

test("an attack tells apart the two worlds that the adjacency is about, and no others", async () => {
  const tasks = makeTasks({ m: 12, d: 2, rows: () => 4 });
  const said = async (adjacency: "replace" | "zero-out") =>
    guaranteeLines((await new PrivateFedAvg({ adjacency, rounds: 1 }).fit(tasks)).guarantee).join(
      "\n",
    );
  expect(await said("replace")).toContain("tells its data from other data with at most");
  const none = await said("zero-out");
  expect(none).toContain("tells its data from none with at most");
  expect(none).not.toContain("other data with at most");
});
