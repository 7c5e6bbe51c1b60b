/**
 * A build of the kernels from another and the difference that `scripts/kernel-difference.mjs` wrote.
 * @module
 */

/** The bytes that `difference` makes of `base`. */
export function applyDifference(base: Uint8Array, difference: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let at = 0;
  let ended = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = difference[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (;;) {
    const given = number();
    parts.push(difference.subarray(at, (at += given)));
    if (at >= difference.length) return joined(parts);
    const copied = number();
    const zigzag = number();
    const from = ended + (zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2);
    parts.push(base.subarray(from, (ended = from + copied)));
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
