import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  Joiner,
  readPlace,
  split,
  writePlace,
} from "../../../../src/federation/nats/connection/parts.js";

const bytes = fc.uint8Array({ maxLength: 5000 });

function places(id: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({ id, index, count }));
}

describe("messages above max_payload", () => {
  test("every part fits with its header, and joined they are the message", () => {
    fc.assert(
      fc.property(bytes, fc.integer({ min: 257, max: 2000 }), (message, maxPayload) => {
        const parts = split(message, maxPayload);
        const header = `NATS/1.0\r\nMp-Mtl-Part: ${"x".repeat(40)} 999999999 999999999\r\n\r\n`;
        for (const part of parts)
          expect(part.length + header.length).toBeLessThanOrEqual(maxPayload);
        if (parts.length === 1) {
          expect(parts[0]).toBe(message);
          return;
        }
        const joiner = new Joiner(10_000);
        const joined = parts.map((part, i) => joiner.take(places("a", parts.length)[i]!, part));
        expect(joined.slice(0, -1).every((whole) => whole === undefined)).toBe(true);
        expect(joined.at(-1)).toEqual(message);
      }),
    );
  });

  test("whatever is lost, repeated or reordered, only whole messages come out", () => {
    const delivery = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 30 });
    const messages = [0, 1, 2].map((k) => Uint8Array.from({ length: 900 }, (_, i) => i % (k + 7)));
    const parts = messages.map((message) => split(message, 256 + 300));
    fc.assert(
      fc.property(delivery, (order) => {
        const joiner = new Joiner(10_000);
        for (const [message, index] of order) {
          const place = { id: `m${message}`, index, count: 3 };
          const whole = joiner.take(place, parts[message]![index]!);
          if (whole) expect(whole).toEqual(messages[message]);
        }
      }),
    );
  });

  test("two senders under one name never give a mixture", () => {
    const joiner = new Joiner(100);
    joiner.take({ id: "a-0", index: 0, count: 2 }, Uint8Array.of(1));
    expect(joiner.take({ id: "b-0", index: 1, count: 2 }, Uint8Array.of(2))).toBeUndefined();
    expect(joiner.take({ id: "a-0", index: 1, count: 2 }, Uint8Array.of(1))).toBeUndefined();
  });

  test("a message above the limit is dropped, and the next one is not", () => {
    const joiner = new Joiner(10);
    const part = new Uint8Array(6);
    expect(joiner.take({ id: "a", index: 0, count: 2 }, part)).toBeUndefined();
    expect(joiner.take({ id: "a", index: 1, count: 2 }, part)).toBeUndefined();
    joiner.take({ id: "b", index: 0, count: 2 }, new Uint8Array(5));
    expect(joiner.take({ id: "b", index: 1, count: 2 }, new Uint8Array(5))).toHaveLength(10);
  });

  test("no part is held as it came: empty ones without end take no memory", () => {
    const joiner = new Joiner(10);
    const [first, count] = [Uint8Array.of(1, 2, 3), 1000];
    joiner.take({ id: "a", index: 0, count }, first);
    // Were it held, the message would change with it.
    first.fill(9);
    for (let index = 1; index < count - 1; index++) {
      expect(joiner.take({ id: "a", index, count }, new Uint8Array())).toBeUndefined();
    }
    const whole = joiner.take({ id: "a", index: count - 1, count }, Uint8Array.of(4));
    expect(whole).toEqual(Uint8Array.of(1, 2, 3, 4));
  });

  test("reads back the place it writes, and nothing else", () => {
    const place = { id: "3f2a-9", index: 4, count: 9 };
    expect(readPlace(writePlace(place))).toEqual(place);
    for (const text of ["", "a 0 1", "a 2 2", "a -1 2", "a 0", "a b c", "a 0 2 3", "a 0 1e3"]) {
      expect(readPlace(text)).toBeUndefined();
    }
  });

  test("a server that takes no more than the header needs is refused", () => {
    expect(() => split(new Uint8Array(1), 256)).toThrow("max_payload: expected more than 256");
  });
});
