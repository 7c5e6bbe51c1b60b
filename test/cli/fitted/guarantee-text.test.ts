/** What a guarantee says to people. */
import { expect, test } from "vitest";
import { guaranteeLines } from "../../../src/cli/fitted/guarantee-text.js";
import { PrivateFedAvg } from "../../../src/learning/index.js";
import { makeTasks } from "../../learning/tasks.js";

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
