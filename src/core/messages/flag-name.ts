/**
 * How the name of an option is spelled as a flag.
 * @module
 */

/** `lossScale` -> `loss-scale`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
