/**
 * An epsilon and a delta that are stated, which may promise nothing: they are read from statements, not asked for.
 * @module
 */
import { object } from "../../core/checks.js";

/**
 * What states them, as it is.
 * @throws TypeError if it is no object, RangeError unless both are numbers >= 0 (Infinity is).
 */
export function statedPair<T extends { readonly epsilon: number; readonly delta: number }>(
  name: string,
  stated: T,
): T {
  const { epsilon, delta } = object(name, stated);
  if (epsilon >= 0 && delta >= 0) return stated;
  throw new RangeError(`${name}.epsilon, delta: expected numbers >= 0`);
}
