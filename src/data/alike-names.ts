/**
 * Names that a reader takes for one and a program for several.
 * @module
 */

/** Capitals, blanks, and the two ways in which Unicode writes an accented letter. */
const seen = (name: string) => name.normalize("NFKC").toLowerCase().replace(/\s+/g, "");

/**
 * Groups of two names or more that differ in capitals, blanks or the form of their accents only, in the order of their first.
 * @param names all different.
 */
export function alikeNames(names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const group = groups.get(seen(name));
    if (group) group.push(name);
    else groups.set(seen(name), [name]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
