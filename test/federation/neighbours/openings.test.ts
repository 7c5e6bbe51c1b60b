/**
 * What a curator keeps in order to open a sum, in two worlds: it differs by one owner's integers alone, no further than the noise is for, and
 * beneath masks that are drawn anew in every run.
 */
import { expect, test } from "vitest";
import { thorough } from "../../thorough.js";
import { madeOf, type Case } from "./cases.js";
import { openingReader, squaresOf } from "./opened-sums.js";
import { bothWorlds, type Seen } from "./two-worlds.js";

const METHOD = { method: "private-fedavg", options: { rounds: 2, clip: 2, epsilon: 20 } };
const RUNS = [
  { sums: "secure", ...METHOD },
  { sums: "verified", ...METHOD },
] as const satisfies Case[];

test.each(thorough ? RUNS : RUNS.slice(0, 1))(
  "$sums sums: an opening tells of an owner what its noise hides, and lies beneath masks",
  async (one) => {
    const { setting, usual, ownIn } = madeOf(one);
    const reader = openingReader(setting);
    const { present, neighbour } = await bothWorlds(setting, usual, ownIn("far"));
    const { present: masked } = await bothWorlds(
      { ...setting, host: "another" },
      usual,
      ownIn("far"),
    );
    const openings = ({ openings }: Seen) =>
      openings.map(({ bytes, ...rest }) => ({ bytes, rest }));
    const [here, there, anew] = [present, neighbour, masked].map(openings);
    expect(here!.length).toBe(2);
    const owned = BigInt(setting.plan.tasks!.filter(({ participant }) => participant === setting.changed).length); // prettier-ignore
    let moved = 0n;
    here!.forEach(({ bytes, rest }, k) => {
      const other = there![k]!;
      expect(other.rest).toEqual(rest);
      expect(reader.beside(other.bytes)).toEqual(reader.beside(bytes));
      const squares = squaresOf(reader.stepsBetween(bytes, other.bytes));
      expect(squares <= owned * owned * reader.squared).toBe(true);
      moved += squares;
      // The same rows and the same noise under other masks.
      const far = reader.stepsBetween(bytes, anew![k]!.bytes);
      expect(far.every((x) => x * x > reader.squared)).toBe(true);
    });
    expect(moved).toBeGreaterThan(0n);
  },
);
