/**
 * Columns of which nothing is declared and whose numbers are far from unit size, before methods that take them as they are.
 * For whoever has all rows, as is said: which columns these are was seen in them.
 * @module
 */
import { someNames } from "../../../core/messages/some-names.js";
import type { TaskSet } from "../../../data/index.js";
import { isPrivateMethod } from "../../../learning/index.js";
import { AUTO, methodNamed } from "../../../learning/methods.js";

/** A column whose root mean square is above this is far from unit size. */
const FAR = 10;

/** Which columns these are is a figure of all tasks' rows, which no budget paid for. */
const SEEN =
  "; which columns these are was seen in all tasks' rows and is not charged: for the curator only";

/** Names of the undeclared columns that are far from unit size: features, and the target where it is a number. */
export function columnsFarFromUnit(tasks: TaskSet): readonly string[] {
  const { encoding, y, d, size, sparse } = tasks;
  const far = (sum: number) => sum > FAR * FAR * size;
  const squares = new Float64Array(d);
  if (sparse) sparse.values.forEach((value, k) => (squares[sparse.columns[k]!]! += value * value));
  else tasks.x.forEach((value, k) => (squares[k % d]! += value * value));
  const features = encoding.columns.flatMap(({ name, scale }, c) =>
    scale === null && far(squares[c]!) ? [name] : [],
  );
  const number = !tasks.targetLevels && encoding.target.scale === null;
  const target = number && far(y.reduce((sum, value) => sum + value * value, 0));
  return target ? [...features, tasks.targetName] : features;
}

/** Whether a method's noise is for columns of about unit size, and nothing of it learns what they are. */
export const takesColumnsAsTheyAre = (method: string): boolean =>
  method !== AUTO && isPrivateMethod(method) && !("scale" in methodNamed(method).options);

/** The remark on methods that take such columns as they are; none where there are no such methods or columns. */
export function rawColumnsRemark(
  methods: readonly string[],
  columns: readonly string[],
): readonly string[] {
  const taking = methods.filter(takesColumnsAsTheyAre);
  if (taking.length === 0 || columns.length === 0) return [];
  return [
    `${taking.join(", ")}: clip and noise are for columns of about unit size, and nothing is declared of ${someNames(columns)}, far larger: ` +
      `models can be absurd. Declare ranges (--ranges FILE, which inspect --out drafts)${SEEN}`,
  ];
}

/** The remark on columns that `--scale unit` says are of unit size, and that are not. */
export const notOfUnitSize = (columns: readonly string[]): readonly string[] =>
  columns.length === 0
    ? []
    : [
        `--scale unit says that features and target are of about unit size, and ${someNames(columns)} ${columns.length === 1 ? "is" : "are"} far larger: models can be absurd. ` +
          `Declare ranges (--ranges FILE, which inspect --out drafts), or leave --scale out${SEEN}`,
      ];
