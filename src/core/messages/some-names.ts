/**
 * Names in a message.
 * @module
 */

/** Column names for a message, the first few of many. */
export function someNames(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name));
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return shown.join(", ") + more;
}
