/**
 * Values of an option, drawn from what its declaration accepts: an option that is declared tomorrow is drawn tomorrow.
 * @module
 */
import fc from "fast-check";
import type { AnyDeclarations } from "../../src/learning/options/option.js";

type Declared = AnyDeclarations[string];

/** Stands for a Float64Array [m, d], whose sizes are known with the data only. */
export interface MatrixOf {
  readonly matrix: number;
}

/** A value that the check of options will take, or stands for one. */
export type Drawn = string | number | boolean | null | MatrixOf | object;

/** Whole numbers count rounds, steps and units: small ones cost little and differ as much. */
const wholeNumbers = fc.integer({ min: 0, max: 5 });

/** Most of them near one, some far away. */
const realNumbers = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -8, max: 8 }) },
  { weight: 1, arbitrary: fc.integer({ min: -36, max: 36 }) },
).chain((quarter) => fc.constantFrom(1, 1.37).map((unit) => unit * 10 ** (quarter / 4))); // prettier-ignore

/** An option that takes one of the latter is no number of something, which might cost as much as it is large. */
const probes = { whole: [0, 1, 2, 3, 5], real: [1e-9, 0.03, 0.4, 1.37, 25.1] };

/** Words that its sentences say a text may start with, and what may follow them. */
function textsOf({ expected, expectedText = expected, read }: Declared): string[] {
  if (!read) return [];
  const words = new Set(`${expected} ${expectedText}`.match(/[a-z][a-z-]+/g) ?? []);
  const numbers = ["", ":0.3", ":1", ":2", ":0.8", ":2:0.5", ":1:3"];
  return [...words].flatMap((word) => numbers.map((rest) => word + rest));
}

/**
 * An arbitrary of the values that a declaration accepts; undefined if none can be drawn from it.
 *
 * Tried are its words, numbers whole and real, true and false, null, matrices, and texts that its own reader
 * understands.
 */
export function valuesOf(declared: Declared): fc.Arbitrary<Drawn> | undefined {
  const accepts = (value: unknown) => declared.accept(value) !== undefined;
  const few = [...(declared.words ?? []), true, false, null].filter(accepts);
  const read = textsOf(declared).flatMap((text) => {
    const value = declared.accept(declared.read!(text)) as Drawn | undefined;
    return value !== undefined && typeof value === "object" && value !== null ? [value] : [];
  });
  const any: fc.Arbitrary<Drawn>[] = [];
  if (few.length > 0) any.push(fc.constantFrom(...(few as Drawn[])));
  if (read.length > 0) any.push(fc.constantFrom(...read));
  if (probes.whole.some(accepts)) any.push(wholeNumbers.filter(accepts));
  if (probes.real.some(accepts)) any.push(realNumbers.filter(accepts));
  if (accepts(new Float64Array(1))) any.push(fc.nat(99).map((matrix): MatrixOf => ({ matrix })));
  return any.length > 0 ? fc.oneof(...any) : undefined;
}

export const isMatrix = (value: unknown): value is MatrixOf =>
  typeof value === "object" && value !== null && "matrix" in value;
