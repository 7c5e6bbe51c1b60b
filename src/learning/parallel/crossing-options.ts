/**
 * Options of a method as they go to another thread.
 * @module
 */

/** Whether a value arrives whole: data, without functions or objects of a class. */
export function crossesWhole(value: unknown): boolean {
  if (typeof value === "function" || typeof value === "symbol") return false;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  const proto: unknown = Object.getPrototypeOf(value);
  const isPlain = proto === Object.prototype || proto === null || Array.isArray(value);
  return isPlain && Object.values(value).every(crossesWhole);
}
