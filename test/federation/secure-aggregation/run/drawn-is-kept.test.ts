/** Who is killed between holding its integers and keeping that it drew them keeps so when it comes back, before it says anything of them. */
import { expect, test } from "vitest";
import { decodeFrame, MemoryStore } from "../../../../src/federation/index.js";
import { runKilled, unseeded, type Parties } from "../../killed-parties.js";
import { identity } from "../harness.js";
import { owner, planOf, tasks } from "../secure-run.js";

const names = [0, 1, 2, 3, 4].map((i) => `p${i}`);

test("of every round there is a record that its noise was drawn, whenever one is killed", async () => {
  const stores = new Map<string, MemoryStore>();
  const parties: Parties = {
    plan: unseeded(planOf("mp-low-rank", { rounds: 2, epsilon: 5 })),
    tasks: Object.fromEntries(
      names.map((who) => [who, tasks.select(tasks.names.filter((_, k) => owner(k) === who))]),
    ),
    identity: (who) => identity(Number(who[1])).secret,
    open: (who) => {
      const store = stores.get(who) ?? new MemoryStore();
      stores.set(who, store);
      return store;
    },
  };
  const { trace } = await runKilled(parties);
  const at = trace.indexOf("p0 after hold integers");
  expect(trace[at + 1]).toBe("p0 before append drawn");
  stores.clear();
  const { twice } = await runKilled(parties, [{ who: "p0", at }]);
  expect(twice).toEqual([]);
  const headers = (await stores.get("p0")!.load()).map((record) => decodeFrame(record).header);
  const drawn = headers.filter(({ type }) => type === "drawn");
  expect(drawn.map(({ round }) => round)).toEqual([1, 2]);
});
