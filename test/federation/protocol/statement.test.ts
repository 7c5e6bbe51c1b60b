/** What a participant makes of the curator's last statement: guarantee and ledger bear each other out, or there is no model. */
import { expect, test } from "vitest";
import type { Guarantee } from "../../../src/privacy/index.js";
import { CuratorRounds } from "../../../src/federation/curator/rounds/curator-rounds.js";
import { makePlan } from "../../../src/federation/index.js";
import { ParticipantRounds } from "../../../src/federation/participant/participant-rounds.js";
import { makeTasks } from "../../learning/tasks.js";

const tasks = makeTasks({ m: 4, d: 2, rows: () => 10 });
const sizes = { m: 4, d: 2, rows: 40, mostRows: 10 };
const plan = makePlan({
  run: "statements",
  method: "pmtl",
  features: tasks.featureNames,
  options: { epsilon: 2, delta: 1e-4, rounds: 1, random: { mode: "seeded", seed: "r" } },
});

test("seeded noise is not called secure, nor is less promised to have been spent than was", () => {
  const curator = new CuratorRounds(plan, sizes, []);
  curator.open();
  const mine = new ParticipantRounds(plan, tasks.select(["task-0"]), { sizes, positions: [0], start: null }); // prettier-ignore
  mine.receive(curator.close().broadcast);
  const [guarantee, ledger] = [curator.guarantee(), curator.ledger.toJSON()];
  expect(mine.model({ guarantee, ledger }).guarantee).toEqual(guarantee);
  for (const [edit, problem] of [
    [{ noiseSource: "secure", private: true }, "noiseSource: its ledger's noise was seeded"],
    [{ epsilon: 1 }, "it promises more than its ledger paid for"],
    [{ adjacency: "zero-out" }, "adjacency"],
  ] as const) {
    const other = { ...guarantee, ...edit };
    expect(() => mine.model({ guarantee: other, ledger })).toThrow(`guarantee: ${problem}`);
  }
});

test.each([
  ["seeded noise", {}, { noiseSource: "secure", private: true }, { noiseSource: "secure" }],
  ["a record", { unit: "record" }, { unit: "task" }, { unit: "task" }],
  ["a person", { unit: "record", rowsPerPerson: 2 }, { person: { rowsPerPerson: 9, tasksPerPerson: 1 } }, {}],
  ["another adjacency", {}, { adjacency: "zero-out" }, { adjacency: "zero-out" }],
])("of %s no other is said, not by the ledger either", (_, options, statement, charged) => {
  const of = makePlan({ run: "others", method: "pmtl", features: tasks.featureNames, options: { ...plan.options, ...options } });
  const curator = new CuratorRounds(of, sizes, []);
  curator.open();
  const mine = new ParticipantRounds(of, tasks.select(["task-0"]), { sizes, positions: [0], start: null });
  mine.receive(curator.close().broadcast);
  const [guarantee, ledger] = [curator.guarantee() as Guarantee, curator.ledger.toJSON()];
  expect(mine.model({ guarantee, ledger }).guarantee).toEqual(guarantee);
  // As the curator would write them, had the run been another.
  const adjacency = "adjacency" in charged ? charged.adjacency : ledger.adjacency;
  const entries = ledger.entries.map(({ event, ...entry }) => ({ ...entry, event: { ...event, adjacency } }));
  const planned = ledger.plan!.map(({ event, count }) => ({ event: { ...event, adjacency }, count }));
  const { gaussian: _mu, attacker: _gain, ...stated } = guarantee;
  const other = { ...ledger, ...charged, entries, plan: planned };
  expect(() => mine.model({ guarantee: { ...stated, ...statement }, ledger: other })).toThrow("not that of the plan");
}); // prettier-ignore

test("what a record has is that of the plan, where the curator says how far it moves the releases", () => {
  const options = { ...plan.options, unit: "both" };
  const both = makePlan({ run: "records", method: "pmtl", features: tasks.featureNames, options }); // prettier-ignore
  const curator = new CuratorRounds(both, sizes, []);
  curator.open();
  const mine = new ParticipantRounds(both, tasks.select(["task-0"]), { sizes, positions: [0], start: null }); // prettier-ignore
  mine.receive(curator.close().broadcast);
  const [guarantee, ledger] = [curator.guarantee() as Guarantee, curator.ledger.toJSON()];
  const stated = guarantee.recordOf!;
  const saying = (recordOf: object) =>
    mine.model({ guarantee: { ...guarantee, recordOf } as Guarantee, ledger });
  expect(saying(stated).guarantee).toEqual(guarantee);
  expect(() => saying({ ...stated, epsilon: stated.epsilon / 2 })).toThrow("recordOf");
  const smaller = stated.sensitivities!.map((size) => size / 4);
  expect(() => saying({ ...stated, epsilon: stated.epsilon / 2, sensitivities: smaller })).toThrow("not that of the plan"); // prettier-ignore
  const { epsilon, delta } = stated;
  expect(saying({ epsilon: epsilon / 2, delta }).guarantee).not.toHaveProperty("recordOf");
});

test("a budget of another delta, or other charges than the plan's, is not taken for what was agreed to", () => {
  const three = { ...plan.options, rounds: 3 };
  const agreed = makePlan({ run: "deltas", method: "pmtl", features: tasks.featureNames, options: three }); // prettier-ignore
  const mine = new ParticipantRounds(agreed, tasks.select(["task-0"]), { sizes, positions: [0], start: null }); // prettier-ignore
  /** What a curator states that ran other options. */
  const statementOf = (options: object, receives?: ParticipantRounds) => {
    const of = { ...agreed, options: { ...agreed.options, ...options } };
    const curator = new CuratorRounds(of, sizes, []);
    for (let round = 1; round <= curator.rounds; round++) {
      curator.open();
      const { broadcast } = curator.close();
      receives?.receive(broadcast);
    }
    return { guarantee: curator.guarantee(), ledger: curator.ledger.toJSON() };
  };
  const right = statementOf({}, mine);
  expect(mine.model(right).guarantee).toEqual(right.guarantee);
  for (const options of [{ delta: 0.2 }, { delta: 1e-9 }, { rounds: 1 }, { clip: 0.1 }]) {
    expect(() => mine.model(statementOf(options))).toThrow("not that of the plan");
  }
  const { entries, ...rest } = right.ledger;
  const some = { guarantee: right.guarantee, ledger: { ...rest, entries: entries.slice(0, 2) } };
  expect(() => mine.model(some)).toThrow("not that of the plan");
});
