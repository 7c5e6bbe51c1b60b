/**
 * Objects of fields, as JSON has them.
 * @module
 */

/** Whether a value has fields: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
