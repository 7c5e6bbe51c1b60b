/**
 * Small named checks for arguments. Each puts the argument's name, what was expected and what was
 * found into the message. Wrong type: TypeError. Wrong value: RangeError.
 * @module
 */
import { kindOf } from "./messages/kind-of.js";
import { meantWord } from "./messages/nearest.js";

function describe(value: unknown): string {
  return typeof value === "number" ? String(value) : kindOf(value);
}

/** A finite number, or a TypeError / RangeError that names it. */
export function finite(name: string, value: number): number {
  if (typeof value !== "number") {
    throw new TypeError(`${name}: expected a number, got ${describe(value)}`);
  }
  if (!Number.isFinite(value))
    throw new RangeError(`${name}: expected a finite number, got ${value}`);
  return value;
}

/** A finite number > 0. */
export function positive(name: string, value: number): number {
  finite(name, value);
  if (!(value > 0)) throw new RangeError(`${name}: expected ${name} > 0, got ${value}`);
  return value;
}

/** A finite number >= 0. */
export function nonNegative(name: string, value: number): number {
  finite(name, value);
  if (!(value >= 0)) throw new RangeError(`${name}: expected ${name} >= 0, got ${value}`);
  return value;
}

/** An integer in [min, max]. */
export function integer(
  name: string,
  value: number,
  min: number,
  max = Number.MAX_SAFE_INTEGER,
): number {
  finite(name, value);
  if (!Number.isInteger(value) || value < min || value > max) {
    const range =
      max === Number.MAX_SAFE_INTEGER ? `an integer >= ${min}` : `an integer from ${min} to ${max}`;
    throw new RangeError(`${name}: expected ${range}, got ${value}`);
  }
  return value;
}

/** An object: of options, say, whose fields are looked at by whoever takes them. */
export function object<T>(name: string, value: T, expected = "an object"): T {
  if (typeof value === "object" && value !== null) return value;
  throw new TypeError(`${name}: expected ${expected}, got ${describe(value)}`);
}

/** A text. */
export function text(name: string, value: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${name}: expected a text, got ${describe(value)}`);
}

/** An array, plain or typed. */
export function array<T extends ArrayLike<unknown>>(name: string, value: T): T {
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return value;
  throw new TypeError(`${name}: expected an array, got ${describe(value)}`);
}

/** A function. */
export function callable<T>(name: string, value: T): T {
  if (typeof value === "function") return value;
  throw new TypeError(`${name}: expected a function, got ${describe(value)}`);
}

/** One of a few words. */
export function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  if (!allowed.includes(value as T)) {
    const meant = meantWord(value, allowed);
    throw new RangeError(
      `${name}: expected one of ${allowed.join(", ")}; got ${JSON.stringify(value)}` +
        (meant && `.${meant}`),
    );
  }
  return value as T;
}

/** Bytes, of whatever realm. */
export function bytes<T extends Uint8Array>(name: string, value: T): T {
  if (ArrayBuffer.isView(value) && value.BYTES_PER_ELEMENT === 1) return value;
  throw new TypeError(`${name}: expected a Uint8Array, got ${describe(value)}`);
}

/** A Float64Array of any length and content. */
export function float64Array(name: string, value: Float64Array): Float64Array {
  if (!(value instanceof Float64Array)) {
    throw new TypeError(`${name}: expected a Float64Array, got ${describe(value)}`);
  }
  return value;
}

/** A Float64Array of an exact length with finite entries only. */
export function finiteArray(name: string, value: Float64Array, length: number): Float64Array {
  float64Array(name, value);
  if (value.length !== length) {
    throw new RangeError(`${name}: expected ${length} entries, got ${value.length}`);
  }
  for (let at = 0; at < length; at++) {
    if (!Number.isFinite(value[at])) {
      throw new RangeError(`${name}: expected finite entries, entry ${at} is not`);
    }
  }
  return value;
}
