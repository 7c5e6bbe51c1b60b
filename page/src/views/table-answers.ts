/**
 * What is being said of the columns of one's own table, and what follows from it.
 * @module
 */
import { useState } from "preact/hooks";
import type { LossName } from "../../../src/learning/index.js";
import type { OpenTable } from "../state/data.js";
import { featureColumns, guessLoss, guessTarget, guessTask } from "../text/guess-columns.js";
import type { RangeSource, Scaling, TableChoice } from "../work/messages.js";
import { statedRanges, typedOf, type TypedRanges } from "./range-fields.js";

/** The answers so far, guessed where nothing was said, with what changes them. */
export function useTableAnswers({ summary, choice: kept }: OpenTable) {
  const names = summary.columns.map(({ name }) => name);
  const lossOf = (target: string) =>
    guessLoss(summary.columns.find((column) => column.name === target)!);
  const [task, setTask] = useState(() => kept?.task ?? guessTask(summary));
  const [target, setTarget] = useState(() => kept?.target ?? guessTarget(summary, task));
  const [loss, setLoss] = useState<LossName>(() => kept?.loss ?? lossOf(target));
  const [scaling, setScaling] = useState<Scaling>(kept?.scaling ?? "method");
  const [rangesFrom, setRangesFrom] = useState<RangeSource>(kept?.rangesFrom ?? "table");
  const [typed, setTyped] = useState<TypedRanges>(() => typedOf(kept?.ranges ?? {}));
  const [levelsPublic, setLevelsPublic] = useState(kept?.levelsPublic ?? false);
  const [wishes, setWishes] = useState(() => wishesOf(kept, names));
  const columns = featureColumns(summary, task, target, wishes);
  const used = columns.filter((column) => column.used);
  const features = used.map(({ name }) => name);
  const categorical = used.filter((column) => column.categorical).map(({ name }) => name);
  const numbers = features.filter((name) => !categorical.includes(name));
  const ranged = loss === "squared" ? [target, ...numbers] : numbers;
  const { ranges, wrong } = statedRanges(typed, ranged);
  const choice: TableChoice = {
    ...{ task, target, loss, scaling, features, categorical, rangesFrom, levelsPublic },
    ranges: rangesFrom === "stated" ? ranges : {},
  };
  return {
    choice,
    columns,
    /** Columns that have a range. */
    ranged,
    typed,
    problems: problemsOf(choice, wrong),
    setTask,
    setTarget: (name: string) => {
      setTarget(name);
      setLoss(lossOf(name));
    },
    setLoss: (kind: LossName) => setLoss(kind),
    setScaling: (kind: Scaling) => setScaling(kind),
    setRangesFrom,
    setRange: (name: string, range: TypedRanges[string]) => setTyped({ ...typed, [name]: range }),
    setLevelsPublic,
    toggle: (name: string, wanted: boolean) => setWishes({ ...wishes, [name]: wanted }),
  };
}

/** Why these answers cannot be used. @param wrong the first column whose range is none. */
function problemsOf({ task, target, rangesFrom }: TableChoice, wrong: string | null): string[] {
  const problems: string[] = [];
  if (task === target) problems.push("Task and target must be two columns.");
  if (rangesFrom === "stated" && wrong !== null) {
    problems.push(
      `The range of ${wrong}: expected two numbers, the first below the second, or nothing.`,
    );
  }
  return problems;
}

/** What was said of columns before: features that were not used are not wanted. */
const wishesOf = (
  kept: TableChoice | null,
  names: readonly string[],
): Readonly<Record<string, boolean>> =>
  Object.fromEntries(
    names.flatMap((name) =>
      kept && name !== kept.task && name !== kept.target
        ? [[name, kept.features.includes(name)]]
        : [],
    ),
  );
