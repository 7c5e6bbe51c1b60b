import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY_CHAIN, openRecord, sealRecord, type ChainEnd } from "../../src/core/record-chain.js";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();

function chainOf(contents: readonly Uint8Array[]): Uint8Array[] {
  let end: ChainEnd = EMPTY_CHAIN;
  return contents.map((content) => {
    const sealed = sealRecord(end, content, sha256);
    end = sealed.end;
    return sealed.bytes;
  });
}

function readAll(records: readonly Uint8Array[]): Uint8Array[] {
  let end: ChainEnd = EMPTY_CHAIN;
  return records.map((bytes) => {
    const opened = openRecord(end, bytes, sha256, "here");
    end = opened.end;
    return opened.content;
  });
}

const contents = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 4 });

describe("a chain of records", () => {
  test("is laid out as it says", () => {
    const [first, second] = chainOf([new TextEncoder().encode("a"), new Uint8Array(0)]);
    const hex = (text: string) => createHash("sha256").update(text).digest("hex");
    const zeros = "0".repeat(64);
    const digest = hex(`mp-mtl-record 1 1 ${zeros} 1 a`);
    expect(new TextDecoder().decode(first)).toBe(`mp-mtl-record 1 1 ${zeros} 1 ${digest}\na`);
    const last = hex(`mp-mtl-record 1 2 ${digest} 0 `);
    expect(new TextDecoder().decode(second)).toBe(`mp-mtl-record 1 2 ${digest} 0 ${last}\n`);
  });

  test("gives back what was put in", () => {
    fc.assert(
      fc.property(contents, (all) => {
        expect(readAll(chainOf(all))).toEqual(all);
      }),
    );
  });

  test("is refused with any bit of any record altered, the length's too", () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.nat(), fc.nat({ max: 7 }), (all, which, where, bit) => {
        const records = chainOf(all);
        const damaged = records[which % records.length]!;
        damaged[where % damaged.length]! ^= 1 << bit;
        expect(() => readAll(records)).toThrow(`here: record ${(which % records.length) + 1} `);
      }),
      { numRuns: 500 },
    );
  });

  test("is refused with any record cut or lengthened, at either end", () => {
    fc.assert(
      fc.property(contents, fc.nat(), fc.nat(), fc.boolean(), (all, which, by, front) => {
        const records = chainOf(all);
        const k = which % records.length;
        const { length } = records[k]!;
        const cut = 1 + (by % length);
        records[k] = front ? records[k]!.subarray(cut) : records[k]!.subarray(0, length - cut);
        expect(() => readAll(records)).toThrow(`here: record ${k + 1} is damaged`);
        records[k] = Uint8Array.of(...chainOf(all)[k]!, 0);
        expect(() => readAll(records)).toThrow(`here: record ${k + 1} is damaged`);
      }),
    );
  });

  test("is refused with records exchanged, left out or taken from another chain", () => {
    const of = (...texts: string[]) => chainOf(texts.map((text) => new TextEncoder().encode(text)));
    const [a, b, c] = of("a", "b", "c");
    expect(() => readAll([a!, c!, b!])).toThrow("record 2 does not follow");
    expect(() => readAll([a!, c!])).toThrow("record 2 does not follow");
    expect(() => readAll([b!, c!])).toThrow("record 1 does not follow");
    expect(() => readAll([a!, a!])).toThrow("record 2 does not follow");
    expect(() => readAll([a!, of("x", "b")[1]!])).toThrow("record 2 does not follow");
  });
});
