/**
 * Values of a table that a person should look at before a fit is believed, in words that show none of them.
 * @module
 */
import type { Table, TableEncoding } from "../../../data/index.js";
import { isTiny } from "../../../data/inspect/signs/tiny-numbers.js";
import { namesTasksToo } from "../../../data/inspect/signs/within-tasks.js";
import { groupRows } from "../../../data/table/groups.js";
import { alikeNames } from "../../../data/inspect/signs/alike-names.js";
import { LARGEST } from "../../../core/squarable.js";
import { overflows } from "../../../data/inspect/signs/overflowing.js";
import { suspiciousCodes } from "../../../data/inspect/signs/suspicious-codes.js";
import { targetCopies } from "../../../data/inspect/signs/target-copies.js";
import { mayHaveCodes, type CodesRequest } from "../../../data/schema/missing-codes.js";

/** Names in quotes. */
export const named = (names: readonly string[]) =>
  names.map((name) => JSON.stringify(name)).join(", ");

/** Of features that say what the target is: errors look small with them and are not, where they are not known in time. */
export const tellsTargetLine = (names: readonly string[]): string =>
  `${named(names)} ${names.length === 1 ? "says" : "say"} what the target is, as a copy of it does: if that is known only when the ` +
  'target is, leave it out (--features, or declared { "kind": "ignore" } in a --ranges file)';

/** Of categories that every task has one level of, and no other task that one. */
export const namesTasksWords = (names: readonly string[]): string =>
  `${named(names)} ${names.length === 1 ? "names" : "name"} the tasks once more, each level being of one task: many columns that tell ` +
  'nothing of its rows; better left out (--features, or declared { "kind": "ignore" } in a --ranges file)';

/** Spellings of a level that may be one, and values that may be codes for missing ones, by column. */
export function valueNotes(table: Table, asked: CodesRequest, encoding: TableEncoding): string[] {
  const alike = encoding
    .toJSON()
    .columns.filter((column) => column.kind === "category" && alikeNames(column.levels).length > 0)
    .map(({ column }) => column);
  const coded = [...encoding.columnNames, encoding.target].filter(
    (name) => mayHaveCodes(table, name, asked) && suspiciousCodes(table, name).length > 0,
  );
  const beyond = [...encoding.columnNames, encoding.target].filter((name) =>
    overflows(table, name),
  );
  const tiny = encoding
    .toJSON()
    .columns.filter((one) => one.kind === "number" && !one.range && isTiny(table, one.column))
    .map(({ column }) => column);
  const again = namingTasks(table, asked, encoding);
  const telling = targetCopies(table, encoding.columnNames, encoding.target);
  return [
    ...(telling.length > 0 ? [tellsTargetLine(telling)] : []),
    ...(again.length > 0 ? [namesTasksWords(again)] : []),
    ...(alike.length > 0
      ? [
          `of the categories ${named(alike)} some differ in capitals, blanks or leading zeros only, and are learned as different ones: ` +
            "write each in one way",
        ]
      : []),
    ...(beyond.length > 0
      ? [
          `${named(beyond)} ${beyond.length === 1 ? "holds" : "hold"} numbers beyond ${LARGEST}, whose squares are beyond what sums can hold: ` +
            "private fits take them for numbers of that size, others refuse them. Correct them, or change the unit",
        ]
      : []),
    ...(tiny.length > 0
      ? [
          `${named(tiny)} ${tiny.length === 1 ? "holds" : "hold"} only numbers below 1e-4, whose size is not learned in private: declare ` +
            `${tiny.length === 1 ? "its range" : "their ranges"} (--ranges), or write ${tiny.length === 1 ? "it" : "them"} in a smaller unit`,
        ]
      : []),
    ...(coded.length > 0
      ? [
          `${named(coded)} ${coded.length === 1 ? "holds" : "hold"} values that repeat and are unlike all others, as codes for missing values ` +
            "are: inspect shows them, --missing-codes takes them for missing",
        ]
      : []),
  ];
}

function namingTasks(table: Table, { task }: CodesRequest, encoding: TableEncoding): string[] {
  const texts = encoding.columnNames.filter((name) => !table.isNumeric(table.column(name)));
  if (typeof task !== "string" || texts.length === 0) return [];
  const groups = groupRows(
    table,
    task,
    Uint8Array.from(table.texts(task), (name) => Number(name !== "")),
  );
  return texts.filter((name) => namesTasksToo(table.texts(name), groups));
}
