/**
 * What a fit does with each column of a table, in words.
 * @module
 */
import { counted } from "../../core/messages/counted.js";
import { alikeNames } from "./signs/alike-names.js";
import { holdsGivenNumbers } from "./signs/given-numbers.js";
import { arePercentages, hasDecimalComma, parseNumber, withoutPercent } from "../table/cells.js";
import { holdsCaseNumbers } from "./signs/case-numbers.js";
import { encodesPerTask, featureNamesOf, type ColumnEncoding } from "../columns/column-encoding.js";
import { holdsDayNumbers } from "./signs/calendar-numbers.js";
import { holdsDates } from "./signs/dates.js";
import { isEmpty } from "./signs/empty.js";
import { hasSlips, lookOf } from "../columns/infer-kinds.js";
import { holdsMarkedNumbers } from "./signs/marked-numbers.js";
import type { ColumnDeclaration } from "../schema/schema.js";
import type { TableEncoding } from "../encode/table-encoding.js";
import { isNumberColumn, type Table } from "../table/table.js";

/** What a fit takes the column with the tasks' names for. */
export const THE_TASK = "the task";

/**
 * What a fit does with the target.
 * @param declared whether a schema says what it is.
 */
export function useOfTarget(
  table: Table,
  name: string,
  declared: boolean,
  encoding: TableEncoding | undefined,
): string {
  if (!encoding && declared) return "the target, as declared";
  if (!encoding && holdsDecimalCommas(table, name)) return `the target: ${COMMAS}`;
  if (!encoding && hasSlips(table, name)) return `the target: ${SLIPS}`;
  const state = encoding?.toJSON();
  const labels = state ? state.targetKind === "label" : !table.isNumeric(table.column(name));
  if (labels) {
    const origin = state?.targetLevels ? "declared " : "";
    const marked = !origin && holdsMarkedNumbers(table, name) ? MARKED : "";
    return `the target: ${origin}labels${marked}`;
  }
  const percent = table.isPercentage(table.column(name)) ? PERCENT : "";
  return state?.targetRange
    ? `the target: a number, scaled by its declared range${state.targetLimits ? ", within its declared limits" : ""}${percent}`
    : `the target: a number in raw units; declare its range to have it scaled${percent}`;
}

function holdsDecimalCommas(table: Table, name: string): boolean {
  if (table.isNumeric(table.column(name))) return false;
  const texts = table.texts(name);
  const bare = arePercentages(texts) ? withoutPercent : (text: string) => text;
  return texts.every(
    (text) => text === "" || hasDecimalComma(bare(text)) || parseNumber(bare(text)) !== undefined,
  );
}

const COMMAS =
  'numbers with decimal commas, which are read with --decimal ","; or with commas between thousands, which are refused';

const holdsPoints = (table: Table, name: string) => {
  const column = table.column(name);
  return !isNumberColumn(column) && column.points === true;
};

const POINTS =
  "numbers with points and decimal commas, which are refused: write nothing between thousands, or leave it out";

/** Said of a category of dates. */
const DATES =
  "; they are dates, of which any other will be none of them: better a number, as days since a fixed day, or left out";

const LEFT_OUT_DATES =
  "left out: too many different dates for a category; better a number, as days since a fixed day";

/** Said of a category of numbers that are written with units or thousands separators. */
const MARKED =
  "; they are numbers with units, marks between thousands, or brackets for a minus: better written as the numbers alone";

const LEFT_OUT_MARKED =
  "left out: numbers with units, marks between thousands, or brackets for a minus, are text; write the numbers alone";

const SLIPS =
  "numbers, but for a few cells, which are refused: correct them, or name what stands for a missing value (--missing-codes)";

/** How numbers with percent signs are read. */
const PERCENT = "; percentages, of which 50 % is 50";

/** Said of days in one number each, such as 20260301. */
const DAYS =
  "; days as 20260301, it seems, between which the numbers jump with every month: better days since a fixed day, or left out";

/** Said of a column with another number in every row. */
const CASES =
  "; another one in every row, as numbers of cases are: if it names rows, declare it an identifier, or leave it out";

/** Said of assigned numbers, such as those of patients. */
const GIVEN =
  "; given out, it seems, as those of patients are: if it names rows or persons, declare it an identifier, or leave it out";

/** What a fit does with a feature; what it seems to be, where a fit would refuse the table. */
export function useOf(
  table: Table,
  name: string,
  declared: ColumnDeclaration | undefined,
  encoding: TableEncoding | undefined,
): string {
  if (declared?.kind === "identifier")
    return "an identifier: no feature, carried through by predict";
  if (declared?.kind === "ignore") return "ignored, as declared";
  if (name === table.index) return "numbers the rows: no feature, carried through by predict";
  const fitted = encoding?.toJSON().columns.find(({ column }) => column === name);
  if (fitted?.kind === "number" && isEmpty(table, name)) {
    return "holds nothing, so 0 in all rows: better left out, as in the draft of --out";
  }
  if (fitted) {
    const category = fitted.kind === "category" && fitted.pooled;
    const dates = category && holdsDates(table, name);
    const marked = category && holdsMarkedNumbers(table, name);
    const vouched = declared?.kind === "number" && declared.declared !== false;
    const open = fitted.kind === "number" && !vouched;
    const percent = fitted.kind === "number" && table.isPercentage(table.column(name));
    const doubt = percent
      ? PERCENT
      : dates
        ? DATES
        : marked
          ? MARKED
          : open
            ? namesRows(table, name)
            : "";
    const own = encodesPerTask(fitted) ? "; the same in all rows of a task, as declared" : "";
    return useOfFeature(fitted, table.hasGaps(name)) + own + doubt;
  }
  if (encoding && holdsDates(table, name)) return LEFT_OUT_DATES;
  if (encoding && holdsMarkedNumbers(table, name)) return LEFT_OUT_MARKED;
  if (encoding) return "left out: too many different texts for a category";
  if (declared) return `a ${declared.kind}, as declared`;
  if (holdsPoints(table, name)) return POINTS;
  if (holdsDecimalCommas(table, name)) return COMMAS;
  if (hasSlips(table, name)) return SLIPS;
  const look = lookOf(table, name);
  if (look === "names" && holdsDates(table, name)) return LEFT_OUT_DATES;
  if (look === "names" && holdsMarkedNumbers(table, name)) return LEFT_OUT_MARKED;
  return {
    number: `a number${look === "number" ? namesRows(table, name) : ""}`,
    category: "a category",
    names: "left out: too many different texts",
  }[look];
}

/** What to say of numbers that nobody declared and that seem to be days, or to name rows or persons. */
function namesRows(table: Table, name: string): string {
  if (holdsDayNumbers(table, name)) return DAYS;
  if (holdsCaseNumbers(table, name)) return CASES;
  return holdsGivenNumbers(table, name) ? GIVEN : "";
}

function useOfFeature(encoding: ColumnEncoding, hasGaps: boolean): string {
  const count = featureNamesOf(encoding).length;
  const columns = counted(count, "column");
  if (encoding.kind === "hex-digits") return `${columns}, one a digit`;
  if (encoding.kind === "category") {
    const origin = encoding.pooled ? "levels that occur" : "declared levels";
    const alike = alikeNames(encoding.levels.map(String)).flat().length;
    const twice =
      alike > 0 ? `; ${alike} of them differ in capitals, blanks or leading zeros only` : "";
    return `a category: ${columns} of 0 and 1, ${origin}${twice}`;
  }
  const filled = hasGaps ? "; gaps take the mean of their task" : "";
  const gaps = encoding.means ? filled : count > 1 ? "; gaps have a column of their own" : "";
  return encoding.range
    ? `a number, scaled by its declared range${gaps}`
    : `a number in raw units${gaps}; declare its range to have it scaled`;
}
