/** Frames and messages: every float64 arrives bit for bit; what is not one is refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeFrame,
  decodeMessage,
  encodeFrame,
  encodeMessage,
  PROTOCOL_VERSION,
} from "../../../../src/federation/index.js";
import { decodeRecord, encodeRecord } from "../../../../src/federation/protocol/records.js";
import { thoroughTest } from "../../../thorough.js";

const bits = (values: Float64Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("hex");
const ENVELOPE = { run: "r", session: "0".repeat(32), plan: "a".repeat(64), participant: "north" };

/** An n x n matrix from the entries of its upper triangle, and what follows it. */
function symmetric(n: number, next: () => number, tail: number): Float64Array {
  const values = new Float64Array(n * n + tail);
  for (let i = 0; i < n; i++) {
    for (let j = i; j < n; j++) values[i * n + j] = values[j * n + i] = next();
  }
  for (let k = 0; k < tail; k++) values[n * n + k] = next();
  return values;
}

/** A frame around a header that may be any text. */
function framed(text: string): Uint8Array {
  const bytes = encodeFrame({ note: "x".repeat(text.length) });
  bytes.fill(0x20, 8);
  bytes.set(new TextEncoder().encode(text), 8);
  return bytes;
}

describe("a frame", () => {
  test("carries any float64 bit for bit", () => {
    const any = fc.array(fc.double({ noDefaultInfinity: false }), { maxLength: 40 });
    fc.assert(
      fc.property(any, fc.string(), (list, note) => {
        const values = Float64Array.from(list);
        const frame = decodeFrame(encodeFrame({ note }, values));
        expect(bits(frame.values)).toBe(bits(values));
        expect(frame.header).toEqual({ note });
      }),
      { numRuns: 300 },
    );
  });

  test("is not parsed where its header has names without end, or levels", () => {
    const values = `"values":{"count":0}`;
    const names = (count: number) =>
      Array.from({ length: count }, (_, i) => `"a\\"${i}" : 0`).join(",");
    const nested = (levels: number) => `"a":${"[".repeat(levels)}${"]".repeat(levels)}`;
    const held = { names: names(200), nested: nested(30), text: `"a":"${"[{:".repeat(1000)}"` };
    for (const text of Object.values(held)) {
      expect(Object.keys(decodeFrame(framed(`{${values},${text}}`)).header)).not.toEqual([]);
    }
    expect(() => decodeFrame(framed(`{${values},${names(300)}}`))).toThrow("too many names");
    const spread = Array.from({ length: 300 }, (_, i) => `{"${i}":0}`).join(",");
    expect(() => decodeFrame(framed(`{${values},"a":[${spread}]}`))).toThrow("too many names");
    expect(() => decodeFrame(framed(`{${values},${nested(40)}}`))).toThrow("nested too deeply");
    expect(() => decodeFrame(framed(`{${values},"a`))).toThrow("not JSON");
    expect(() => decodeFrame(framed(`{${values},"a\\`))).toThrow("not JSON");
  });

  test("carries a symmetric matrix as its triangle and a diagonal one as its diagonal", () => {
    let state = 1;
    const next = () => (state = (state * 48271) % 2147483647) / 3e8 - 3;
    for (const [n, tail] of [
      [3, 0],
      [7, 7],
      [40, 40],
    ] as const) {
      const values = symmetric(n, next, tail);
      const bytes = encodeFrame({}, values);
      expect(bytes.length).toBeLessThan(8 * ((n * (n + 1)) / 2 + tail) + 80);
      expect(bits(decodeFrame(bytes).values)).toBe(bits(values));
      const diagonal = values.map((x, k) => (k < n * n && k % (n + 1) !== 0 ? 0 : x));
      const short = encodeFrame({}, diagonal);
      expect(short.length).toBeLessThan(8 * (n + tail) + 80);
      expect(bits(decodeFrame(short).values)).toBe(bits(diagonal));
    }
  });

  test("tells 0 from -0 when it looks for symmetry", () => {
    const values = Float64Array.of(1, -0, 0, 0, 1, 0, 0, 0, 1);
    expect(bits(decodeFrame(encodeFrame({}, values)).values)).toBe(bits(values));
  });

  test("is refused when it is cut, lengthened or changed in its header", () => {
    const bytes = encodeFrame({ a: 1 }, Float64Array.of(1, 2, 3));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeFrame(bytes.subarray(0, length))).toThrow("frame:");
    }
    expect(() => decodeFrame(Uint8Array.of(...bytes, 0))).toThrow("frame: its vector");
    const magic = bytes.slice();
    magic[0] = 0;
    expect(() => decodeFrame(magic)).toThrow("does not begin like one");
  });

  test("with any bytes at all either decodes or throws a DataError", () => {
    const start = [...encodeFrame({ x: 1 }).subarray(0, 8)];
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), fc.boolean(), (tail, magic) => {
        const bytes = magic ? Uint8Array.of(...start, ...tail) : tail;
        try {
          decodeFrame(bytes);
        } catch (error) {
          expect((error as { code?: string }).code).toBe("DATA");
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("a message", () => {
  const push = {
    type: "upload",
    round: 2,
    positions: [0, 3],
    values: Float64Array.of(1, 2),
  } as const;

  test("comes back as it went", () => {
    expect(decodeMessage(encodeMessage(ENVELOPE, push))).toEqual({ ...ENVELOPE, ...push });
  });

  test.each([
    ["another version", { v: PROTOCOL_VERSION + 1 }, "version"],
    ["an unknown type", { type: "shout" }, "type"],
    ["a round of zero", { round: 0 }, "round"],
    ["positions out of order", { positions: [3, 0] }, "positions"],
    ["a field too many", { extra: 1 }, "field too many"],
    ["no session", { session: 5 }, "run is not named"],
    ["a hash of another length", { plan: "ab" }, "run is not named"],
    ["a participant with a dot", { participant: "a.b" }, "participant"],
  ])("with %s is refused", (_what, change, why) => {
    const header = {
      v: PROTOCOL_VERSION,
      ...ENVELOPE,
      type: "upload",
      round: 2,
      positions: [0],
      ...change,
    };
    expect(() => decodeMessage(encodeFrame(header, Float64Array.of(1)))).toThrow(why);
  });

  test.each([NaN, Infinity, -Infinity])("with %d in its vector is refused", (value) => {
    const bytes = encodeMessage(ENVELOPE, { ...push, values: Float64Array.of(1, value) });
    expect(() => decodeMessage(bytes)).toThrow("not finite");
  });

  test("of a kind that has no vector is refused with one", () => {
    const header = { v: PROTOCOL_VERSION, ...ENVELOPE, type: "pull", round: 1 };
    expect(() => decodeMessage(encodeFrame(header, Float64Array.of(1)))).toThrow("no vector");
  });
});

thoroughTest(
  "a curator reads its record of two hundred thousand owners, longer than any message's header may be",
  () => {
    const members = Array.from({ length: 200_000 }, (_, i) => ({
      participant: `participant-${i}`,
      tasks: [{ name: `task-of-participant-${i}`, rows: 20 }],
      positions: [i],
    }));
    const record = encodeRecord({ type: "members", members });
    expect(record.length).toBeGreaterThan(2 ** 24);
    expect(decodeRecord(record)).toEqual({ type: "members", members });
    expect(() => decodeFrame(record)).toThrow("its header is cut short");
  },
);
