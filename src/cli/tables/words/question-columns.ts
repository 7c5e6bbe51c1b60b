/**
 * Columns that are text only by how their numbers are written: left out, or made categories of, a fit would be without them.
 * @module
 */
import { holdsMarkedNumbers } from "../../../data/inspect/signs/marked-numbers.js";
import type { Table, TableEncoding, TableSchema } from "../../../data/index.js";

/** The question, of columns that nobody has declared. */
export function columnQuestions(
  table: Table,
  { task, target, weights, person, features, kinds = {}, schema }: TableSchema,
  encoding: TableEncoding,
): string[] {
  const declared = { ...schema?.columns, ...kinds };
  const roles = new Set<unknown>([task, target, weights, person, table.index]);
  const used = new Set(encoding.columnNames);
  const found = table.columnNames.filter(
    (name) =>
      !roles.has(name) &&
      !Object.hasOwn(declared, name) &&
      (!features || used.has(name)) &&
      holdsMarkedNumbers(table, name),
  );
  if (found.length === 0) return [];
  const [one, some] = [found.length === 1, found.some((name) => used.has(name))];
  const all = found.every((name) => used.has(name));
  const become = all ? "made categories of" : some ? "left out or made categories of" : "left out";
  return [
    `${found.map((name) => JSON.stringify(name)).join(", ")} ${one ? "holds" : "hold"} numbers with units, marks between thousands, or brackets for a minus, which ` +
      `are read as text and ${become}: are they to be learned from as numbers? Then write the numbers alone (1234.5). If not, declare ` +
      `${one ? "it" : "them"} in a --ranges file ({ "kind": "ignore" }), or name the others with --features.`,
  ];
}
