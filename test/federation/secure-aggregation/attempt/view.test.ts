/**
 * What the curator sees of one participant, after the sum was opened and with all it may ever know: the
 * masked integers without their self mask. Structure: what is left is the input plus a keystream
 * per neighbour, of keys that only the two ends know; with one honest neighbour it is a one-time pad up
 * to the pseudo-randomness of ChaCha20, and all the pads together fix nothing but the sum. The tests
 * here would notice masks that are missing, repeated, correlated with the input or cancelled early.
 */
import { describe, expect, test } from "vitest";
import { selfMaskKey } from "../../../../src/federation/secure-aggregation/keys/keys.js";
import { addMask } from "../../../../src/federation/secure-aggregation/attempt/masks.js";
import {
  parseEntries,
  takeIndices,
} from "../../../../src/federation/secure-aggregation/attempt/message-parts.js";
import {
  addResidues,
  parseResidues,
} from "../../../../src/federation/secure-aggregation/integers/residues.js";
import { Interpolation } from "../../../../src/federation/secure-aggregation/keys/shamir.js";
import { run, settingOf, type RunResult } from "../harness.js";

const HEADER = 34;
const n = 3;
const ENTRIES = 20_000;

/** An input as unlike noise as can be: runs of zeros and of one huge integer. */
const structured = Float64Array.from({ length: ENTRIES }, (_, i) =>
  (i >> 6) % 2 === 0 ? 0 : 2 ** 52 - 1,
);
const values = [structured, structured.slice(), structured.slice()];

/** Participant's integers as the curator has them once it has opened the self masks. */
function bared({ seen }: RunResult, participant: number): Uint32Array {
  const { session } = settingOf({ n, values });
  const bodies = (kind: number) =>
    seen
      .filter(({ message }) => message[1] === kind)
      .sort((a, b) => a.from - b.from)
      .map(({ message }) => message.subarray(HEADER));
  const shares = bodies(9).map((body) => parseEntries(body, 32, n)![participant]!.bytes);
  const seed = new Interpolation([1, 2, 3]).secret(shares);
  const words = parseResidues(takeIndices(bodies(5)[participant]!, n)!.rest, ENTRIES, 64)!;
  addMask(words, selfMaskKey(session, seed, participant), 64, -1);
  return words;
}

/** Chi-square of the bytes against uniform, 255 degrees of freedom. */
function chiSquare(bytes: Uint8Array): number {
  const counts = new Float64Array(256);
  for (const byte of bytes) counts[byte]!++;
  const expected = bytes.length / 256;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}
/** Its quantile at 1 - 1e-7. */
const LIMIT = 389;

describe("the curator's view of one participant", () => {
  const result = run({ n, values });
  const bare = [0, 1, 2].map((participant) => bared(result, participant));

  test("is uniform where the input is zero and where it is huge (false alarm 1.2e-6 in all)", () => {
    for (const words of bare) {
      for (const half of [0, 1]) {
        const part = words.filter((_, word) => (word >> 7) % 2 === half);
        expect(chiSquare(new Uint8Array(part.buffer))).toBeLessThan(LIMIT);
      }
    }
  });

  test("is uniform for two participants together: only all three give the inputs away", () => {
    for (const [a, b, c] of [
      [0, 1, 2],
      [1, 2, 0],
      [0, 2, 1],
    ] as const) {
      const sum = bare[a]!.slice();
      addResidues(sum, bare[b]!, 64, 1);
      expect(chiSquare(new Uint8Array(sum.buffer))).toBeLessThan(LIMIT);
      addResidues(sum, bare[c]!, 64, 1);
      // And then everything is there, as it must be.
      expect(new BigInt64Array(sum.buffer)[0]).toBe(0n);
      expect(new BigInt64Array(sum.buffer)[64]).toBe(3n * BigInt(structured[64]!));
    }
  });

  test("differs from attempt to attempt although the input is the same", () => {
    const again = bared(run({ n, values, seed: "again" }), 0);
    addResidues(again, bare[0]!, 64, -1);
    expect(chiSquare(new Uint8Array(again.buffer))).toBeLessThan(LIMIT);
  });
});
