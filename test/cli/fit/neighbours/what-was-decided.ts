/**
 * What was decided before a fit by looking at rows, and whether its guarantee lists it.
 * @module
 */
import type { FittedModel } from "../../../../src/learning/index.js";

/** The columns and the target as the fit took them, without any task's own means. */
export function decidedOf({ loss, classes, featureNames, preprocessing }: FittedModel) {
  const { columns = [], ...rest } = { ...preprocessing?.encoding };
  const kinds = columns.map((column) => ({ ...column, means: "means" in column }));
  return { loss, classes, featureNames, columns: kinds, rest, pipeline: preprocessing?.pipeline };
}

/** What a model says of it. */
const listed = ({ guarantee }: FittedModel): string =>
  guarantee.kind === "none" ? guarantee.why : guarantee.notCharged.join("; ");

/** Columns, and the target, that came out otherwise in two worlds without a word in one of them. */
export function unlistedDecisions(one: FittedModel, two: FittedModel): string[] {
  const [a, b] = [one, two].map(decidedOf) as [Decided, Decided];
  const names = [...new Set([...a.columns, ...b.columns].map(({ column }) => column))];
  const same = (x: unknown, y: unknown) => JSON.stringify(x) === JSON.stringify(y);
  const of = ({ columns }: Decided, name: string) => columns.find(({ column }) => column === name);
  const apart = names.filter((name) => !same(of(a, name), of(b, name)));
  const target = ({ loss, classes, rest }: Decided) => ({ loss, classes, rest });
  const found = [one, two].flatMap((model) => {
    const words = listed(model);
    const untold = apart.filter((name) => !words.includes(JSON.stringify(name)));
    const ofTarget = !same(target(a), target(b)) && !/loss|target/.test(words);
    return [...untold, ...(ofTarget ? ["the target"] : [])];
  });
  return [...new Set(found)].map((name) => `${name} was decided by rows, unlisted`);
}

type Decided = ReturnType<typeof decidedOf>;
