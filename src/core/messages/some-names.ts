/**
 * Names in a message: of columns, tasks or whatever else has them.
 * @module
 */

/** Names between quotes, one after the other. @param most that are named; of the others their number. */
export function someNames(names: readonly string[], most = 8): string {
  const shown = names.slice(0, most).map((name) => JSON.stringify(name));
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return shown.join(", ") + more;
}
