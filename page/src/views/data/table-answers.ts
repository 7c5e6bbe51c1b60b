/**
 * What is being said of the columns of one's own table, and what follows from it.
 * @module
 */
import { useState } from "preact/hooks";
import type { LossName } from "../../../../src/learning/index.js";
import type { OpenTable } from "../../state/data.js";
import {
  doubtOf,
  featureColumns,
  guessLoss,
  guessTarget,
  guessTask,
  leftOutUnasked,
  type Wishes,
} from "../../text/guess-columns.js";
import type { ColumnSummary, RangeSource, Scaling, TableChoice } from "../../work/messages.js";
import {
  statedLimits,
  statedRanges,
  typedLimitsOf,
  typedOf,
  type TypedRanges,
} from "./range-fields.js";

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
  const [typedLimits, setLimits] = useState(() => typedLimitsOf(kept?.limits));
  const [levelsPublic, setLevelsPublic] = useState(kept?.levelsPublic ?? false);
  const [wishes, setWishes] = useState(() => wishesOf(kept, names));
  const [missingCodes, setMissingCodes] = useState(kept?.missingCodes ?? []);
  const columns = featureColumns(summary, task, target, wishes);
  const used = columns.filter((column) => column.used);
  const features = used.map(({ name }) => name);
  const categorical = used.filter((column) => column.categorical).map(({ name }) => name);
  const numbers = features.filter((name) => !categorical.includes(name));
  const ranged = loss === "squared" ? [target, ...numbers] : numbers;
  const { ranges, wrong } = statedRanges(typed, ranged);
  // Of labels there are none; what was typed stays for when they are numbers again.
  const { limits, wrong: wrongLimits } =
    loss === "squared" ? statedLimits(typedLimits, ranges[target]) : { wrong: null };
  const choice: TableChoice = {
    task,
    target,
    loss,
    scaling,
    features,
    categorical,
    rangesFrom,
    levelsPublic,
    leftOut: leftOutUnasked(columns, wishes),
    ranges: rangesFrom === "stated" ? ranges : {},
    ...(limits && rangesFrom === "stated" ? { limits } : {}),
    missingCodes,
  };
  return {
    choice,
    columns,
    /** Columns that have a range. */
    ranged,
    typed,
    limits: loss === "squared" ? typedLimits : null,
    limitsFit: wrongLimits === null,
    setLimits,
    /** Why the target should rather be written otherwise; many labels alone are no reason. */
    targetDoubt: doubtsOf(summary.columns, target),
    /** Values of what is used that may stand for missing ones. */
    codes: codesIn(summary.columns, new Set([...features, target])),
    problems: problemsOf(choice, wrong, wrongLimits),
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
    setCode: (value: string, isMissing: boolean) =>
      setMissingCodes([
        ...missingCodes.filter((code) => code !== value),
        ...(isMissing ? [value] : []),
      ]),
    toggle: (name: string, wanted: boolean) => setWishes({ ...wishes, [name]: wanted }),
  };
}

/** A value that may stand for missing ones, and in which columns of numbers. */
export interface FoundCode {
  readonly value: string;
  readonly names: readonly string[];
}

function codesIn(columns: readonly ColumnSummary[], used: ReadonlySet<string>): FoundCode[] {
  const found = new Map<string, string[]>();
  for (const { name, codes, numeric } of columns) {
    if (!numeric || !used.has(name)) continue;
    for (const { value } of codes) found.set(value, [...(found.get(value) ?? []), name]);
  }
  return [...found].map(([value, names]) => ({ value, names }));
}

function doubtsOf(columns: readonly ColumnSummary[], target: string): string | undefined {
  const column = columns.find(({ name, written }) => name === target && written !== undefined);
  return column && doubtOf(column);
}

/** Why these answers cannot be used. @param wrong the first column whose range is none. @param wrongLimits what is wrong with those of the target. */
function problemsOf(
  choice: TableChoice,
  wrong: string | null,
  wrongLimits: string | null,
): string[] {
  const { task, target, rangesFrom, features } = choice;
  const problems: string[] = [];
  if (task === target) problems.push("Task and target must be two columns.");
  if (features.length === 0) {
    problems.push(
      "No column is left to predict from: open “Feature columns” to see why, and to choose.",
    );
  }
  if (rangesFrom === "stated" && wrong !== null) {
    problems.push(
      `The range of ${wrong}: expected two numbers, the first below the second, or nothing.`,
    );
  }
  if (rangesFrom === "stated" && wrong === null && wrongLimits !== null) {
    problems.push(`What ${target} cannot be: ${wrongLimits}.`);
  }
  return problems;
}

/** What was said of columns before: features that were not used are not wanted, but for those that nobody said it of. */
export const wishesOf = (kept: TableChoice | null, names: readonly string[]): Wishes =>
  Object.fromEntries(
    names.flatMap((name) =>
      kept && ![kept.task, kept.target, ...(kept.leftOut ?? [])].includes(name)
        ? [[name, kept.features.includes(name)]]
        : [],
    ),
  );
