/**
 * Numbers of things in words.
 * @module
 */

/** `1 task`, `2 tasks`. */
export const counted = (n: number, what: string): string => `${n} ${n === 1 ? what : `${what}s`}`;
