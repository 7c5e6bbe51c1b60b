/**
 * Every golden case of a group as one test each, from `../shared/reference`.
 * @module
 */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { LEFT_OUT, thorough } from "../thorough.js";
import { describeShared, sharedJson, sharedPath } from "../shared.js";

/** A case of `accounting.json` or `wishart_profile.json`. */
export interface ReferenceCase {
  id: string;
  group: string;
  params: Record<string, unknown>;
  expect: Record<string, unknown>;
  rtol: number;
  atol: number;
  note?: string;
}

const loaded = new Map<string, ReferenceCase[]>();

function casesOf(file: string): ReferenceCase[] {
  const path = `reference/${file}.json`;
  if (!loaded.has(file) && existsSync(sharedPath(path))) {
    loaded.set(file, (sharedJson(path) as { cases: ReferenceCase[] }).cases);
  }
  return loaded.get(file) ?? [];
}

/** Runs `check` on every case of a group; an empty group is a failure, a missing file a skip. */
export function describeReference(
  file: "accounting" | "wishart_profile",
  group: string,
  check: (golden: ReferenceCase, at: number) => void,
): void {
  describeCases(`reference/${file}.json: ${group}`, 1, file, group, check);
}

/** The same of cases that take long: of one in so many, unless all tests are asked for; `ofAll`: one in so many even then. */
export function describePartOfReference(
  every: number | { readonly every: number; readonly ofAll: number },
  file: "accounting" | "wishart_profile",
  group: string,
  check: (golden: ReferenceCase, at: number) => void,
): void {
  const counts = typeof every === "number" ? { every, ofAll: 1 } : every;
  const one = thorough ? counts.ofAll : counts.every;
  const part = one === counts.ofAll ? "" : `, one in ${one} ${LEFT_OUT}`;
  describeCases(`reference/${file}.json: ${group}${part}`, one, file, group, check);
}

/** One in so many cases of a group. */
function describeCases(
  title: string,
  one: number,
  file: "accounting" | "wishart_profile",
  group: string,
  check: (golden: ReferenceCase, at: number) => void,
): void {
  describeShared(title, [`reference/${file}.json`], () => {
    const cases = casesOf(file).filter((golden) => golden.group === group);
    test("has cases", () => {
      expect(cases.length).toBeGreaterThan(0);
    });
    for (const golden of cases.filter((_, i) => i % one === 0)) {
      test(golden.id, () => {
        check({ ...golden, atol: golden.atol ?? 0 }, cases.indexOf(golden));
      });
    }
  });
}

/** |got - want| <= atol + rtol |want|; a golden null stands for infinity. */
export function expectWithin(got: number, want: unknown, rtol: number, atol = 0): void {
  if (want === null) {
    expect(got).toBe(Infinity);
    return;
  }
  const limit = atol + rtol * Math.abs(want as number);
  expect(
    Math.abs(got - (want as number)),
    `got ${got}, want ${want as number}`,
  ).toBeLessThanOrEqual(limit);
}
