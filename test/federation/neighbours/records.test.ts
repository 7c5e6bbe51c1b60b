/**
 * Runs that hide records, of which one differs: with the same releases what its owner adds to a sum moves no further than is charged for a record.
 */
import { expect, test } from "vitest";
import { plannedMethod } from "../../../src/federation/protocol/plan/planned-method.js";
import type { PrivacyEvent } from "../../../src/privacy/index.js";
import { someOf } from "../../thorough.js";
import { madeOf, RECORDS, SIZES, titleOf } from "./cases.js";
import { openingReader, squaresOf } from "./opened-sums.js";
import { bothWorlds, type Seen, type Setting } from "./two-worlds.js";

/** Above the rounding of sums of doubles. */
const SLACK = 1 + 1e-9;

/**
 * In the clear, and as integers; relays change nothing of what an owner adds. Rows differ as usual ones do, or as far as numbers go: of either
 * kind of sums every method has the one or the other.
 */
const runs = RECORDS.filter(({ sums }) => sums !== "secure, relays").map((one, k) => {
  const world = (Math.floor(k / 2) + k) % 2 === 0 ? "other" : "huge";
  return [titleOf(one), world, one] as const;
});

/** What of a run moves, by releases: squared length, and the most that is charged for. */
type Moved = readonly (readonly [squared: number, most: number])[];

/** Of vectors in the clear. @param charged by release, the most that a record moves it. */
function movedInTheClear(present: Seen, neighbour: Seen, charged: readonly number[]): Moved {
  expect(present.uploads.map(({ round }) => round)).toEqual(charged.map((_, k) => k + 1));
  return present.uploads.map(({ values }, k) => {
    const other = neighbour.uploads[k]!.values;
    const squared = values.reduce((sum, value, i) => sum + (value - other[i]!) ** 2, 0);
    return [squared, charged[k]!];
  });
}

/** Of integers, in units of D, which is what moves `ofUnit`, a task or a record. */
function movedOnTheGrid(
  { setting, present, neighbour }: { setting: Setting; present: Seen; neighbour: Seen },
  charged: readonly number[],
  ofUnit: readonly number[],
): Moved {
  expect(present.openings.length).toBe(charged.length);
  return present.openings.map(({ bytes, round }, k) => {
    const { stepsBetween, squared } = openingReader(setting, round);
    const steps = squaresOf(stepsBetween(bytes, neighbour.openings[k]!.bytes));
    return [Number(steps) / Number(squared), charged[k]! / ofUnit[k]!];
  });
}

const sensitivitiesOf = (events: readonly PrivacyEvent[]) =>
  events.map((event) => ("sensitivity" in event ? event.sensitivity : NaN));

test.each(someOf(runs, 5))(
  "%s, one record: %s",
  async (_title, world, one) => {
    const { setting, usual, ownIn } = madeOf(one);
    const { stages, recordOf } = plannedMethod(setting.plan, SIZES).releases;
    const ofUnit = sensitivitiesOf(stages.flatMap(({ events }) => events));
    const charged = recordOf ? sensitivitiesOf(recordOf.events) : ofUnit;
    const worlds = await bothWorlds(setting, usual, ownIn(world, true));
    // A matrix is made of vectors where they are added up.
    const isSum = stages.every(({ statistic }) => ["vector", "moment"].includes(statistic));
    const moved =
      one.sums !== "plain"
        ? movedOnTheGrid({ setting, ...worlds }, charged, ofUnit)
        : movedInTheClear(worlds.present, worlds.neighbour, isSum ? charged : charged.map(() => Infinity)); // prettier-ignore
    for (const [squared, most] of moved)
      expect(Math.sqrt(squared)).toBeLessThanOrEqual(most * SLACK);
    // Otherwise nothing was compared.
    expect(moved.some(([squared]) => squared > 0)).toBe(true);
  },
  300_000,
);
