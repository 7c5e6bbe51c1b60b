/**
 * What was decided before a fit by looking at rows, and whether its guarantee lists it.
 * @module
 */
import type { FittedModel } from "../../../../src/learning/index.js";

type Decided = ReturnType<typeof decidedOf>;
type Column = Decided["columns"][number];

/** The columns and the target as the fit took them, without any task's own means. */
export function decidedOf({ loss, classes, featureNames, preprocessing }: FittedModel) {
  const { columns = [], ...target } = { ...preprocessing?.encoding };
  const kinds = columns.map((column) => ({ ...column, means: "means" in column }));
  return { loss, classes, featureNames, columns: kinds, target, pipeline: preprocessing?.pipeline };
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What a model says of it. */
const listed = ({ guarantee }: FittedModel): string =>
  guarantee.kind === "none" ? guarantee.why : guarantee.notCharged.join("; ");

/** The words by which a column's being another one in another world must be listed. */
function wordsOfColumn(name: string, one: Column | undefined, two: Column | undefined): string {
  const quoted = JSON.stringify(name);
  // Of the same kind in both: its levels, or whether there are gaps, which is said with them.
  return one?.kind === "category" && two?.kind === "category"
    ? `levels of the column ${quoted}`
    : quoted;
}

/** The words by which what came out otherwise must be listed. */
function wordsNeeded(a: Decided, b: Decided): string[] {
  const names = [...new Set([...a.columns, ...b.columns].map(({ column }) => column))];
  const columns = names.flatMap((name) => {
    const [one, two] = [a, b].map(({ columns }) => columns.find(({ column }) => column === name));
    return isSame(one, two) ? [] : [wordsOfColumn(name, one, two)];
  });
  const labels = a.loss === b.loss && !isSame(a.classes, b.classes);
  return [
    ...columns,
    ...(a.loss === b.loss ? [] : ["the loss"]),
    ...(labels ? ["labels of the target"] : []),
  ];
}

/** What came out otherwise in two worlds without a word in one of them. */
export function unlistedDecisions(one: FittedModel, two: FittedModel): string[] {
  const needed = wordsNeeded(decidedOf(one), decidedOf(two));
  const untold = needed.filter((words) =>
    [one, two].some((model) => !listed(model).includes(words)),
  );
  return untold.map((words) => `decided by rows, and not listed: ${words}`);
}
