/** The list of faults, held to the sources: each can still be planted, and no file that matters is without one. */
import { expect, test } from "vitest";
import { AREAS } from "./faults/all.js";
import { mutated, planted, textOf } from "./mutants.js";
import { interval, scoreWords, shuffled } from "./score.js";
import { SCOPES, sourcesOf } from "./scope.js";

const all = Object.values(AREAS).flat();

test.each(Object.entries(AREAS))(
  "%s: every text occurs once in its file, and another stands there instead",
  (_, faults) => {
    for (const fault of faults) {
      const text = textOf(fault.file);
      const mutant = planted(fault);
      expect(mutant.original, fault.file).toBe(fault.from);
      expect(mutated(text, mutant)).not.toBe(text);
      expect(mutated(text, mutant)).toContain(fault.to);
      expect(fault.breaks).toMatch(/^[A-Z].*\.$/);
    }
  },
);

test("no fault is there twice, and what a fault is not planted once is said", () => {
  const keys = all.map(({ file, from, to }) => `${file}\n${from}\n${to}`);
  expect(new Set(keys).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(300);
  const file = "test/mutation/faults/fault.ts";
  expect(() => planted({ file, from: "readonly", to: "", breaks: "" })).toThrow("expected once");
  expect(() => planted({ file, from: "not there", to: "", breaks: "" })).toThrow("expected once");
});

/** Files of the sources below that hold types, words or wiring, and no number of their own. */
const WITHOUT = [
  "release/stage-request",
  "round/release-journal",
  "round/estimator",
  "round/sharing-rule",
  "round/observer",
  "round/participants",
  "round/halves",
  "round/batches",
  "round/check-hooks",
]
  .map((name) => `src/learning/${name}.ts`)
  .concat("src/federation/secure-aggregation/integers/aggregation-grid.ts")
  .concat(
    [
      "accounting/pld/loss-law",
      "events/event-kinds",
      "guarantee/guarantee",
      "ledger/ledger-entry",
    ].map((name) => `src/privacy/${name}.ts`),
  );

test("every file of privacy, releases, rounds, secure sums and of what is kept on disk has a fault", () => {
  const folders = ["src/privacy/", "src/learning/release/", "src/learning/round/", "src/federation/secure-aggregation/", "src/federation/relays/"]; // prettier-ignore
  const kept = new Set(sourcesOf(SCOPES.find(({ name }) => name === "node")!));
  const files = SCOPES.flatMap(sourcesOf).filter(
    (file) => kept.has(file) || folders.some((folder) => file.startsWith(folder)),
  );
  const planted = new Set(all.map(({ file }) => file));
  expect([...new Set(files)].filter((file) => !planted.has(file)).sort()).toEqual(WITHOUT.sort());
});

test("shares come with their interval, samples with their seed", () => {
  // Wilson's interval of 38 of 40.
  const [low, high] = interval(38, 40);
  expect(low).toBeCloseTo(0.835, 3);
  expect(high).toBeCloseTo(0.986, 3);
  expect(scoreWords(38, 40)).toBe(
    "38 of 40 faults found, 95.0 % (95 % interval: 83.5 % to 98.6 %)",
  );
  let state = 1;
  const random = () => (state = (16807 * state) % 2147483647) / 2147483647;
  expect(shuffled([1, 2, 3, 4, 5, 6], random).sort()).toEqual([1, 2, 3, 4, 5, 6]);
});
