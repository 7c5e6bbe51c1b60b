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
