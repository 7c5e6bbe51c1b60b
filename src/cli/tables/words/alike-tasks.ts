/**
 * A word on tasks that may be one owner: a guarantee of each task says less of an owner who is two of them.
 * @module
 */
import { alikeNames } from "../../../data/inspect/signs/alike-names.js";

/** Groups that are named; of more, their number. */
const SHOWN = 3;

/** The question, or nothing. */
export function alikeTasks(names: readonly string[]): string[] {
  const groups = alikeNames(names);
  if (groups.length === 0) return [];
  const told = groups
    .slice(0, SHOWN)
    .map((group) => group.map((name) => JSON.stringify(name)).join(" and "));
  const more = groups.length > SHOWN ? `, and ${groups.length - SHOWN} more` : "";
  return [
    `the tasks ${told.join(", ")}${more} differ in capitals, blanks, leading zeros or the form of accents only: if they are one ` +
      "owner, write one name; a guarantee is of each task by itself, and an owner who is two of them is protected less than it says.",
  ];
}
