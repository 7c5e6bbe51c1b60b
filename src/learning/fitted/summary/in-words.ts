/**
 * A model in a line for logs and consoles: sizes and guarantee, never weights or names of tasks.
 * @module
 */
import { counted } from "../../../core/messages/counted.js";
import { decimalAbove } from "../../../privacy/accounting/rounding.js";
import { isOfRealNumbersOnly } from "../../../privacy/mechanisms/mechanism.js";
import type { Guarantee } from "../../../privacy/index.js";
import type { TaskModelState } from "../task/task-model-state.js";
import { learnedOf } from "../uncharged-figures.js";

/** What the line is made of. */
type Described = Pick<TaskModelState, "method" | "loss" | "featureNames" | "guarantee">;

/** `mp-mixed, 148 tasks, 3 features, squared loss; joint (1, 0.00001)-DP`. */
export function sizesAndGuarantee(model: Described, tasks: string): string {
  const { method, loss, featureNames, guarantee } = model;
  const sizes = [method, tasks, counted(featureNames.length, "feature"), `${loss} loss`].join(", ");
  return `${sizes}; ${promise(guarantee)}`;
}

/** Whose data it hides; unsaid of a task, which is what joint differential privacy is of. */
const OF: Readonly<Record<Guarantee["unit"], string>> = {
  task: "",
  record: " of single records",
  person: " of single persons",
};

function promise(guarantee: Described["guarantee"]): string {
  if (guarantee.kind === "none") return "no privacy guarantee";
  const { epsilon, delta, sound, private: holds, colluding, later, unit = "task" } = guarantee;
  const { notCharged = [] } = guarantee as Partial<Guarantee>;
  if (!sound) return "its guarantee does not hold";
  // What is not said is the stronger of both, `replace`.
  const by = guarantee.adjacency === "zero-out" ? " (zero-out)" : "";
  const figures = `(${decimalAbove(epsilon, 4)}, ${decimalAbove(delta, 4)})-DP${OF[unit]}${by}`;
  const whose = later === undefined ? "" : " of the tasks of the fit, after which this was made";
  const claim =
    (colluding === undefined
      ? `joint ${figures}`
      : `${figures} against the curator with up to ${colluding} participants`) + whose;
  const but = learnedOf(notCharged).length > 0 ? ", but for what was learned uncharged" : "";
  const floats = isOfRealNumbersOnly(guarantee) ? ", proven for real numbers only" : "";
  return (holds ? claim : `not private: seeded, ${claim} with secure noise`) + floats + but;
}

/**
 * Lets Node's console print an object as its `toString` does. As a member of its class this would keep bundlers from
 * dropping the class.
 */
export function showAs(object: object): void {
  const inspect = Symbol.for("nodejs.util.inspect.custom");
  Object.defineProperty(object, inspect, { value: () => String(object) });
}
