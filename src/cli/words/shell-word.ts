/**
 * Words of commands that a user can copy.
 * @module
 */

/** Quoted for a POSIX shell where it has to be. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
