/**
 * What the budgets of an evaluation promise, in sentences.
 * @module
 */
import { decimalAbove } from "../../../privacy/accounting/rounding.js";
import { HIDDEN } from "../../words/hidden-words.js";
import type { CellResult } from "../cells/cell.js";
import { learnedIn } from "./learned.js";

const OTHERS =
  "Nothing is promised against who is given a task's own model, or must be trusted: the curator, who sees what every task uploads.";

/** Whose promise is of less than what the fits tell. */
type Limited = Pick<CellResult, "method" | "tuning" | "guarantee">;

const methodsOf = (cells: readonly Limited[], kept: (cell: Limited) => boolean) => [
  ...new Set(cells.filter(kept).map(({ method }) => method)),
];

/** Methods whose promise the last bits of their noise are not covered by. */
const drawnInFloats = (cells: readonly Limited[]): string[] =>
  methodsOf(cells, ({ guarantee }) => guarantee?.sound === true && guarantee.floats === true);

/** What a column of "holds" does not say of them; none where there are none. */
export function floatsRemark(cells: readonly Limited[]): string[] {
  const methods = drawnInFloats(cells);
  return methods.length > 0
    ? [
        `the noise of ${methods.join(", ")} is drawn in floating point: what holds of epsilon is proven for real numbers only`,
      ]
    : [];
}

/** What the promise of such fits leaves out, and on what it rests. */
function limitsOf(cells: readonly Limited[]): string[] {
  const learned = learnedIn(cells);
  const chosen = methodsOf(cells, ({ tuning }) => tuning === "cv");
  const unseen = methodsOf(
    cells,
    ({ tuning, guarantee }) => tuning === "private" && guarantee?.unseen !== false,
  );
  const floats = drawnInFloats(cells);
  return [
    OTHERS,
    ...(floats.length > 0
      ? [
          `Of ${floats.join(", ")} it is proven for noise of real numbers; it is drawn in floating point, whose last bits may tell more.`,
        ]
      : []),
    ...(learned.length > 0
      ? [
          `The promise leaves out what is learned of columns without a charge, which the models tell: ${learned.join(", ")}.`,
        ]
      : []),
    ...(cells.some(({ guarantee }) => guarantee?.learned === undefined)
      ? [
          "Whether it leaves out what is learned of columns these results, of an earlier release, do not say.",
        ]
      : []),
    ...(cells.some(({ guarantee }) => guarantee?.floats === undefined)
      ? [
          "Whether their noise is drawn in floating point these results, of an earlier release, do not say.",
        ]
      : []),
    ...(chosen.length > 0
      ? [
          `Of ${chosen.join(", ")} it leaves out the choice of hyper-parameters, by cross-validation over all tasks.`,
        ]
      : []),
    ...(unseen.length > 0
      ? [
          `Of ${unseen.join(", ")} it holds while nobody sees the runs that were not chosen, or how many there were.`,
        ]
      : []),
  ];
}

/** What eps stands for in an evaluation, whose runs are seeded. */
export function promiseOf(cells: readonly CellResult[]): string[] {
  const stated = cells.flatMap(({ method, epsilon, guarantee }) =>
    guarantee && epsilon !== null ? [{ method, ...guarantee }] : [],
  );
  if (stated.length === 0) return [];
  const largest = decimalAbove(Math.max(...stated.map(({ delta }) => delta)), 3);
  const sound = stated.filter((one) => one.sound);
  const kinds = (["replace", "zero-out"] as const).flatMap((adjacency) => {
    const of = sound.filter((one) => (one.adjacency ?? "replace") === adjacency);
    return [...new Set(of.map(({ unit }) => unit))].map((unit) => ({
      adjacency,
      unit,
      methods: [...new Set(of.filter((one) => one.unit === unit).map(({ method }) => method))],
    }));
  });
  const promise = ({ adjacency, unit, methods }: (typeof kinds)[number]) => {
    const whose =
      kinds.length > 1 || stated.some(({ sound }) => !sound) ? ` of ${methods.join(", ")}` : "";
    return (
      `A fit${whose} without a seed promises what eps says: ${HIDDEN[adjacency][unit]} would have seen nearly the same where eps is small: whatever they ` +
      `see is at most e^eps times as likely, plus delta (at most ${largest} here)${unit === "task" ? "" : "; what is true of a whole task is not hidden"}.`
    );
  };
  return [
    "Nothing, by these runs: their noise is seeded so that they can be repeated.",
    ...kinds.map(promise),
    ...(kinds.length > 0 ? limitsOf(cells.filter(({ guarantee }) => guarantee?.sound)) : []),
    ...(stated.some(({ sound }) => !sound)
      ? ["Rows marked DOES NOT HOLD state the papers' nominal eps, which is no guarantee."]
      : []),
  ];
}
