/**
 * Messages as somebody sends them who means ill, or whose program is broken: made of true ones by a change or two.
 * @module
 */
import { decodeFrame, encodeFrame } from "../../src/federation/index.js";

/** Values that break what is not checked. */
const HOSTILE: readonly unknown[] = [
  0,
  -1,
  0.5,
  1,
  2,
  3,
  2 ** 24 + 1,
  2 ** 31 - 1,
  2 ** 53,
  1e308,
  5e-324,
  null,
  true,
  false,
  "",
  "__proto__",
  "constructor",
  "toString",
  "p1",
  "\u0000",
  "\ud800",
  "caf\u00e9",
  "cafe\u0301",
  "x".repeat(5000),
  "0".repeat(32),
  "f".repeat(64),
  [],
  {},
  [0, 0],
  [1, 0],
  [0, 1, 2],
  [[]],
  [null],
  [{ name: "__proto__", rows: 1 }],
  [
    { name: "t0", rows: 1 },
    { name: "t0", rows: 1 },
  ],
  [
    { name: "caf\u00e9", rows: 1 },
    { name: "cafe\u0301", rows: 1 },
  ],
  Array.from({ length: 3000 }, (_, i) => i),
  Array.from({ length: 3000 }, (_, i) => ({ name: `t${i}`, rows: 1 })),
];
const NUMBERS = [NaN, Infinity, -Infinity, 1e308, -0, 5e-324, 1e9];

/** Makes one of a message. @param random uniform on [0, 1). */
export function mutant(message: Uint8Array, random: () => number): Uint8Array {
  const below = (n: number) => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const bytesOf = (bytes: Uint8Array): Uint8Array => {
    const own = bytes.slice();
    if (own.length === 0) return Uint8Array.of(below(256));
    if (random() < 0.3) return own.subarray(0, below(own.length));
    if (random() < 0.2) return Uint8Array.from([...own, ...own.subarray(0, 40)]);
    // Numbers and kinds stand in front.
    for (let k = 0; k <= below(3); k++) own[below(random() < 0.5 ? Math.min(48, own.length) : own.length)] = pick([0, 1, 127, 255, below(256)]); // prettier-ignore
    return own;
  };
  if (random() < 0.2) return bytesOf(message);
  const { header, values, bytes } = decodeFrame(message);
  const changed: Record<string, unknown> = { ...header };
  const names = Object.keys(changed);
  const name = pick(names);
  switch (below(6)) {
    case 0:
      changed[name] = pick(HOSTILE);
      break;
    case 1:
      changed[name] = within(changed[name], pick(HOSTILE), below);
      break;
    case 2:
      Object.defineProperty(changed, pick(["__proto__", "constructor", "extra", "values2"]), {
        value: pick(HOSTILE),
        enumerable: true,
      });
      break;
    case 3:
      return encodeFrame(header, valuesOf(values, pick(NUMBERS), below), bytes, random() < 0.5);
    case 4:
      return encodeFrame(header, values, bytesOf(bytes), false);
    default:
      return withLayout(message, {
        count: pick([0, 9, 2 ** 20, 2 ** 29, 23170 ** 2, 2 ** 40]),
        ...(random() < 0.7 ? { [pick(["diagonal", "symmetric"])]: pick([1, 3, 23170, -1]) } : {}),
        ...(random() < 0.3 ? { bytes: pick([0, 5, -1, 2 ** 31, 2 ** 52]) } : {}),
      });
  }
  return encodeFrame(changed, values, bytes, false);
}

/** One place in a list or object changed. */
function within(value: unknown, hostile: unknown, below: (n: number) => number): unknown {
  if (Array.isArray(value) && value.length > 0) {
    return value.with(below(value.length), hostile);
  }
  if (typeof value !== "object" || value === null) return hostile;
  const names = Object.keys(value);
  return names.length > 0 ? { ...value, [names[below(names.length)]!]: hostile } : hostile;
}

function valuesOf(values: Float64Array, hostile: number, below: (n: number) => number) {
  const own = values.slice();
  if (own.length > 0) own[below(own.length)] = hostile;
  const lengths = [0, 1, Math.floor(own.length / 2), own.length, own.length + 1, 2 * own.length];
  return Float64Array.from(
    { length: lengths[below(6)]! },
    (_, i) => own[i % own.length] ?? hostile,
  );
}

/** The same bytes, that say something else of their layout. */
function withLayout(message: Uint8Array, layout: object): Uint8Array {
  const { header } = decodeFrame(message);
  const length = new DataView(message.buffer, message.byteOffset).getUint32(4, true);
  const text = new TextEncoder().encode(JSON.stringify({ ...header, values: layout }));
  const body = message.subarray(8 + length);
  const own = new Uint8Array(8 + text.length + body.length);
  own.set(message.subarray(0, 4));
  new DataView(own.buffer).setUint32(4, text.length, true);
  own.set(text, 8);
  own.set(body, 8 + text.length);
  return own;
}
