/**
 * Names that a reader takes for one and a program for several.
 * @module
 */

/** Zeros before a whole number, also one within a name; those behind a decimal point or comma count. */
const ZEROS = /(?<![\d.,])0+(?=\d)/g;

/** Capitals, zeros before a number, blanks, and the two ways in which Unicode writes an accented letter. */
const seen = (name: string) =>
  name.normalize("NFKC").toLowerCase().replace(/\s+/g, "").replace(ZEROS, "");

/**
 * Groups of two names or more that differ in capitals, blanks, zeros before a number or the form of their accents only, in the order of their first.
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

/**
 * What is to be said of names that somebody may have meant for a known one; nothing where none is like that.
 * @param known as a model has them.
 * @param others none of them is known.
 */
export function misspeltNames(known: readonly string[], others: readonly string[]): string {
  const meant = new Map(known.map((name) => [seen(name), name]));
  const other = others.find((name) => meant.has(seen(name)));
  if (other === undefined) return "";
  return (
    `${JSON.stringify(other)} and the model's ${JSON.stringify(meant.get(seen(other)))} differ in capitals, blanks, leading zeros or the ` +
    "form of accents only: if they are one owner, write the name as the model has it"
  );
}
