/**
 * What a curator keeps in order to open a sum, in two worlds: it differs by one owner's integers alone, no further than the noise is for, and
 * beneath masks that are drawn anew in every run.
 */
import { expect, test } from "vitest";
import { decodeFrame } from "../../../src/federation/protocol/frame.js";
import { plannedMethod } from "../../../src/federation/protocol/planned-method.js";
import { shareOptionsOf } from "../../../src/federation/secure-aggregation/planned.js";
import { aggregationTerms } from "../../../src/federation/secure-aggregation/terms.js";
import { decodeVector } from "../../../src/federation/verified-sums/encoding.js";
import { verifiedTerms } from "../../../src/federation/verified-sums/terms.js";
import { thorough } from "../../thorough.js";
import { madeOf, type Case } from "./cases.js";
import { bothWorlds, type Seen } from "./two-worlds.js";

const METHOD = { method: "private-fedavg", options: { rounds: 2, clip: 2, epsilon: 20 } };
const RUNS = [
  { sums: "secure", ...METHOD },
  { sums: "verified", ...METHOD },
] as const satisfies Case[];

/** Entry by entry what one has more than the other, around 0 modulo q; and the bytes beside. */
function apart(one: Uint8Array, other: Uint8Array, integersOf: (bytes: Uint8Array) => bigint[], q: bigint) {
  const [a, b] = [integersOf(one), integersOf(other)];
  return a.map((x, i) => {
    const less = (((x - b[i]!) % q) + q) % q;
    return less > q / 2n ? less - q : less;
  });
} // prettier-ignore

/** How a run's openings are read: the integers in one, the modulus, D^2, and what lies beside the integers. */
function readerOf({ plan }: ReturnType<typeof madeOf>["setting"], m: number) {
  const { aggregation } = plan;
  const { releases } = plannedMethod(plan, { m, d: 3, rows: 47, mostRows: 7 });
  if (aggregation?.kind === "two-aggregators") {
    const { grid, pine } = verifiedTerms(releases)[0]!;
    const { field } = pine.parameters;
    return {
      integersOf: (bytes: Uint8Array) => [...decodeVector(field, bytes, grid.entries)!],
      beside: () => [] as unknown[],
      modulus: field.modulus,
      squared: grid.squaredSensitivity,
    };
  }
  if (aggregation?.kind !== "secure") throw new TypeError("expected hidden sums");
  const { grid, bits } = aggregationTerms(releases, shareOptionsOf(aggregation))[0]!;
  const width = bits / 8;
  const cut = (bytes: Uint8Array) => bytes.length - width * grid.entries;
  return {
    integersOf: (bytes: Uint8Array) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset + cut(bytes));
      return Array.from({ length: grid.entries }, (_, i) =>
        bits === 32 ? BigInt(view.getUint32(4 * i, true)) : view.getBigUint64(8 * i, true),
      );
    },
    beside: (bytes: Uint8Array) => [decodeFrame(bytes).header, bytes.slice(0, cut(bytes))],
    modulus: 1n << BigInt(bits),
    squared: grid.squaredSensitivity,
  };
}

test.each(thorough ? RUNS : RUNS.slice(0, 1))(
  "$sums sums: an opening tells of an owner what its noise hides, and lies beneath masks",
  async (one) => {
    const { setting, usual, ownIn } = madeOf(one);
    const reader = readerOf(setting, 8);
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
      const steps = apart(bytes, other.bytes, reader.integersOf, reader.modulus);
      const squares = steps.reduce((sum, x) => sum + x * x, 0n);
      expect(squares <= owned * owned * reader.squared).toBe(true);
      moved += squares;
      // The same rows and the same noise under other masks.
      const far = apart(bytes, anew![k]!.bytes, reader.integersOf, reader.modulus);
      expect(far.every((x) => x * x > reader.squared)).toBe(true);
    });
    expect(moved).toBeGreaterThan(0n);
  },
);
