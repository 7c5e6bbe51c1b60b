import { describe, expect, test } from "vitest";
import { gaussianDelta, gaussianEpsilon } from "../../../src/privacy/index.js";
import {
  jointRecordWords,
  ownModelWords,
  taskWords,
  trustWords,
} from "../../../src/privacy/guarantee/guarantee-words.js";
import { protectionTable } from "../../../src/privacy/guarantee/protection.js";

const task = { unit: "task", epsilon: 1, delta: 1e-5, sound: true, noiseSource: "secure" } as const;
const record = { ...task, unit: "record" } as const;
const own = { epsilon: 3, delta: 1e-6, against: "own model" } as const;
const curator = { epsilon: 2, delta: 0, against: "curator" } as const;
/** Rows as `guarantee.collusion` has them: the last is of everybody else together. */
const collusion = [
  { colluding: 0, honest: 4, epsilon: 0.8 },
  { colluding: 6, honest: 1, epsilon: 4 },
  { colluding: 2, honest: 2, epsilon: 1 },
];
const ofRecord = [{ colluding: 6, honest: 1, epsilon: 0.7 }];
type Arguments = Parameters<typeof protectionTable>;

/** What a table promises, as `unit from party: epsilon`. */
const promised = (...given: Arguments) =>
  protectionTable(...given)
    .filter(({ epsilon }) => epsilon !== null)
    .map(({ of, against, epsilon, delta }) => `${of} from ${against}: ${epsilon}, ${delta}`);

describe("who is protected from whom", () => {
  test.each<[string, Arguments, string[]]>([
    ["a task", [task], ["record from other tasks: 1, 0.00001", "task from other tasks: 1, 0.00001"]],
    ["a task, its records besides", [{ ...task, recordOf: { epsilon: 0.2, delta: 1e-5 } }], ["record from other tasks: 0.2, 0.00001", "task from other tasks: 1, 0.00001"]],
    ["a record", [record], ["record from other tasks: 1, 0.00001"]],
    ["a record from its model's holder", [record, own], ["record from other tasks: 1, 0.00001", "record from own model: 3, 0.000001", "record from all models: 3, 0.000001"]],
    ["a task, and a record from the curator", [task, curator], ["record from other tasks: 1, 0.00001", "record from curator: 2, 0", "task from other tasks: 1, 0.00001"]],
    ["a task, by secure sums", [{ ...task, colluding: 2, collusion }], ["record from other tasks: 4, 0.00001", "record from curator: 1, 0.00001", "task from other tasks: 4, 0.00001", "task from curator: 1, 0.00001"]],
    ["a task and a record, by secure sums", [{ ...task, colluding: 2, collusion, recordOf: { epsilon: 0.2, delta: 1e-5, collusion: ofRecord } }], ["record from other tasks: 0.7, 0.00001", "record from curator: 0.2, 0.00001", "task from other tasks: 4, 0.00001", "task from curator: 1, 0.00001"]],
    ["a record, of which collusion is not stated", [{ ...task, colluding: 2, collusion, recordOf: { epsilon: 0.2, delta: 1e-5 } }], ["record from other tasks: 4, 0.00001", "record from curator: 0.2, 0.00001", "task from other tasks: 4, 0.00001", "task from curator: 1, 0.00001"]],
    ["a record, by secure sums", [{ ...record, colluding: 0, collusion }, { ...own, collusion }], ["record from other tasks: 4, 0.00001", "record from curator: 1, 0.00001", "record from own model: 4, 0.000001", "record from all models: 4, 0.000001"]],
    ["secure sums of unknown collusion", [{ ...record, colluding: 0 }, own], ["record from curator: 1, 0.00001"]],
    ["a task, by two aggregators", [{ ...task, trust: trustWords({ kind: "two-aggregators" }) }], ["record from other tasks: 1, 0.00001", "record from curator: 1, 0.00001", "task from other tasks: 1, 0.00001", "task from curator: 1, 0.00001"]],
    ["a task that may add nothing", [{ ...task, adjacency: "zero-out" }], ["record from other tasks: 2, 0.00003718281828459099", "task from other tasks: 1, 0.00001"]],
    ["a task that may add nothing, by pure noise", [{ ...task, delta: 0, adjacency: "zero-out" }], ["record from other tasks: 2, 0", "task from other tasks: 1, 0"]],
    ["a task that may add nothing, and hardly", [{ ...task, epsilon: 20, adjacency: "zero-out" }], ["task from other tasks: 20, 0.00001"]],
    ["a task that may add nothing, its records besides", [{ ...task, adjacency: "zero-out", recordOf: { epsilon: 0.2, delta: 1e-5 } }], ["record from other tasks: 0.2, 0.00001", "task from other tasks: 1, 0.00001"]],
    ["a record that may add nothing, lifted to its task", [{ ...task, adjacency: "zero-out", record: { epsilon: 0.1, delta: 1e-7, groupSize: 10 } }], ["record from other tasks: 1, 0.00001", "task from other tasks: 1, 0.00001"]],
    ["nobody, by seeded noise", [{ ...task, noiseSource: "seeded" }, curator], []],
    ["nobody, by noise that is not sound", [{ ...record, sound: false }, own], []],
  ])("%s", (_, given, expected) => {
    expect(promised(...given)).toEqual(expected);
  }); // prettier-ignore

  test("of a record it is what two uploads of its task are apart, not what one is from none", () => {
    const [sigma, delta] = [4, 1e-5];
    const epsilon = gaussianEpsilon(1 / sigma, delta);
    const ofTask = { ...task, epsilon, delta, adjacency: "zero-out" } as const;
    const said = protectionTable(ofTask).find(({ of }) => of === "record")!;
    // One record turns an upload of norm 1 around: pmtl's, of a task whose other rows say nothing.
    expect(gaussianDelta(epsilon, 2 / sigma)).toBeGreaterThan(100 * delta);
    expect(gaussianDelta(said.epsilon!, 2 / sigma)).toBeLessThanOrEqual(said.delta!);
  });

  test("is said of every unit and party, in sentences", () => {
    const table = protectionTable({ ...task, colluding: 2, collusion });
    expect(table).toHaveLength(8);
    expect(table.map(({ words }) => words)).toEqual([
      expect.stringMatching(/^what all the other tasks' owners .* is \(4, 0.00001\)-differentially private in one record/),
      expect.stringMatching(/^what the curator.* together with up to 2 participants can learn is \(1, 0.00001\).*, computationally$/),
      expect.stringMatching(/^one record .* is not protected from whoever is given that task's own model/),
      expect.stringMatching(/^one record .* is not protected from whoever holds the models of all tasks/),
      expect.stringMatching(/^what all the other tasks' owners [^2]* is \(4, 0.00001\)-differentially private in everything a task has/),
      expect.stringMatching(/together with up to 2 participants/),
      expect.stringMatching(/^everything a task has is not protected from whoever is given/),
      expect.stringMatching(/^everything a task has is not protected from whoever holds/),
    ]); // prettier-ignore
  });
});

test("what is not covered: whoever holds the own model, but where the model is what is promised about", () => {
  const holder = (words: { readonly notCovered: readonly string[] }) =>
    words.notCovered.filter((line) => line.includes("whoever holds its own model"));
  const ofTask = taskWords("replace", { kind: "curator" });
  expect(holder(ofTask)).toHaveLength(1);
  const joint = jointRecordWords("replace", { kind: "relays" }, undefined);
  const ofOwnModel = ownModelWords(joint);
  expect(holder(ofOwnModel)).toEqual([]);
  expect(ofOwnModel.notCovered.length).toBeGreaterThanOrEqual(3);
  expect(ofOwnModel.notCovered).toContain(
    "times, sizes of messages and other side channels of the machines",
  );
  // Relays see uploads without noise, whoever is given the model.
  expect(ofOwnModel.trust).toContain(joint.trust);
});
