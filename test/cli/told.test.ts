import { expect, test } from "vitest";
import type { Context } from "../../src/cli/options/command.js";
import { watch } from "../../src/cli/operator/told.js";
import { recordLine } from "../../src/cli/participant/told.js";
import type { RecordGuarantee } from "../../src/privacy/index.js";

test("a round that closed without some tasks is told, and ever more rarely where that is the rule", () => {
  const lines: string[] = [];
  const progress = { update: () => undefined };
  const tell = watch({ progress } as unknown as Context, (_event, text) =>
    lines.push(...(typeof text === "string" ? [text] : text)),
  );
  const close = (round: number, present: number) =>
    tell({ kind: "closed", round, expected: 5, present, clipped: 0 });
  close(1, 5);
  expect(lines).toEqual([]);
  close(2, 4);
  expect(lines).toEqual(["round 2 closed with 4 of 5 tasks"]);
  for (let round = 3; round <= 1000; round++) close(round, 4);
  // The first twenty, then the 32nd, 64th and so on to the 512th.
  expect(lines).toHaveLength(25);
  expect(lines.at(-1)).toContain("round 513 ");
});

test("who is silent is named with the round that closed without it, the first ten", () => {
  const lines: unknown[] = [];
  const context = { progress: { update: () => undefined } } as unknown as Context;
  const tell = watch(context, (_event, text) => lines.push(text));
  const closed = { kind: "closed", round: 2, expected: 15, present: 14, clipped: 0 } as const;
  tell({ ...closed, silent: ["south"] });
  tell({ ...closed, present: 3, silent: Array.from({ length: 12 }, (_, k) => `p${k}`) });
  expect(lines).toEqual([
    "round 2 closed with 14 of 15 tasks; no answer from south",
    "round 2 closed with 3 of 15 tasks; no answer from p0, p1, p2, p3, p4, p5, p6, p7, p8, p9 and 2 others",
  ]);
});

test("one task is one task", () => {
  const lines: unknown[] = [];
  const context = { progress: { update: () => undefined } } as unknown as Context;
  const tell = watch(context, (_event, text) => lines.push(text));
  tell({ kind: "started", tasks: 1, participants: 1 });
  tell({ kind: "paused", round: 1, present: 1, needed: 2, missing: ["north"] });
  expect(lines).toEqual([
    "started with 1 task of 1 participant",
    "round 1 waits: 1 task uploaded, 2 needed; missing: north",
  ]);
});

test("at the end it is told for whom the curator stays, and for how long", () => {
  const lines: unknown[] = [];
  const context = { progress: { update: () => undefined } } as unknown as Context;
  const tell = watch(context, (_event, text) => lines.push(text));
  tell({ kind: "lingering", awaited: ["south", "west"], longest: 60_000 });
  expect(lines).toEqual([
    "the last round is released; waits for word from south, west, for 60 s at most (--linger)",
  ]);
});

test("an owner is told from whom its records are protected, and by which noise", () => {
  const promise = { epsilon: 1, delta: 1e-5, sound: true, unit: "record", noiseSource: "secure" } as RecordGuarantee; // prettier-ignore
  expect(recordLine(promise)).toBe("each of your records against the curator: (1, 0.00001)-DP");
  expect(recordLine({ ...promise, against: "curator" })).toBe(recordLine(promise));
  const own = { ...promise, against: "own model", unit: "person" } as const;
  expect(recordLine(own)).toBe(
    "the rows of each person you have against whoever is given your task's model: (1, 0.00001)-DP",
  );
  expect(recordLine({ ...promise, against: "own model", colluding: 2 })).toBe(
    "each of your records against whoever is given your task's model together with the curator and up to 2 participants: (1, 0.00001)-DP",
  );
  expect(recordLine({ ...promise, noiseSource: "seeded" })).toMatch(/^NOT PRIVATE: with secure /);
  expect(recordLine({ ...promise, sound: false })).toMatch(/NOT SOUND$/);
});
