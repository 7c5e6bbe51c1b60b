/**
 * Which column of one's own table is what.
 * @module
 */
import { useState } from "preact/hooks";
import type { LossName } from "../../../src/learning/index.js";
import { chooseTable } from "../state/choose-data.js";
import type { OpenTable } from "../state/data.js";
import {
  featureColumns,
  type FeatureColumn,
  guessLoss,
  guessTarget,
  guessTask,
} from "../text/guess-columns.js";
import { count } from "../text/numbers.js";
import type { RangeSource, Scaling, TableChoice } from "../work/messages.js";
import { RangeChoice, statedRanges, typedOf, type TypedRanges } from "./range-fields.js";
import { SelectField } from "./select-field.js";

const LOSSES: readonly (readonly [LossName, string])[] = [
  ["squared", "an amount"],
  ["logistic", "one of two"],
  ["softmax", "one of several"],
];

const SCALINGS: readonly (readonly [Scaling, string])[] = [
  ["method", "scaled as the method needs"],
  ["standardize", "standardised within each task"],
  ["unit-rows", "scaled row by row only"],
  ["none", "as they are"],
];

export function TableForm({ table: { summary, choice: kept } }: { table: OpenTable }) {
  const names = summary.columns.map(({ name }) => name);
  const columnOf = (name: string) => summary.columns.find((column) => column.name === name)!;
  const [task, setTask] = useState(() => kept?.task ?? guessTask(summary));
  const [target, setTarget] = useState(() => kept?.target ?? guessTarget(summary, task));
  const [loss, setLoss] = useState<LossName>(() => kept?.loss ?? guessLoss(columnOf(target)));
  const [scaling, setScaling] = useState<Scaling>(kept?.scaling ?? "method");
  const [rangesFrom, setRangesFrom] = useState<RangeSource>(kept?.rangesFrom ?? "table");
  const [typed, setTyped] = useState<TypedRanges>(() => typedOf(kept?.ranges ?? {}));
  const [levelsPublic, setLevelsPublic] = useState(kept?.levelsPublic ?? false);
  const [wishes, setWishes] = useState<Readonly<Record<string, boolean>>>(() =>
    wishesOf(kept, names),
  );
  const columns = featureColumns(summary, task, target, wishes);
  const used = columns.filter((column) => column.used);
  const features = used.map(({ name }) => name);
  const categorical = used.filter((column) => column.categorical).map(({ name }) => name);
  const numbers = features.filter((name) => !categorical.includes(name));
  const ranged = loss === "squared" ? [target, ...numbers] : numbers;
  const { ranges, wrong } = statedRanges(typed, ranged);
  const unusable = rangesFrom === "stated" ? wrong : null;
  const use = () =>
    chooseTable({
      ...{ task, target, loss, scaling, features, categorical, rangesFrom, levelsPublic },
      ranges: rangesFrom === "stated" ? ranges : {},
    });
  const options = names.map((name) => [name, name] as const);
  return (
    <div class="table-form">
      <p>
        <strong>{summary.name}</strong>: {count(summary.rows)} rows, {names.length} columns
      </p>
      <SelectField
        id="task-column"
        label="Task: who owns the row"
        value={task}
        options={options}
        onInput={setTask}
      />
      <SelectField
        id="target-column"
        label="Target: what is predicted"
        value={target}
        options={options}
        onInput={(name) => {
          setTarget(name);
          setLoss(guessLoss(columnOf(name)));
        }}
      />
      <SelectField
        id="target-kind"
        label="The target is"
        value={loss}
        options={LOSSES}
        onInput={(kind) => setLoss(kind)}
      />
      <FeatureList
        columns={columns}
        onToggle={(name, wanted) => setWishes({ ...wishes, [name]: wanted })}
      />
      {ranged.length > 0 && (
        <RangeChoice
          names={ranged}
          from={rangesFrom}
          typed={typed}
          onFrom={setRangesFrom}
          onInput={(name, range) => setTyped({ ...typed, [name]: range })}
        />
      )}
      {(categorical.length > 0 || loss !== "squared") && (
        <label class="choice">
          <input
            type="checkbox"
            checked={levelsPublic}
            onChange={({ currentTarget }) => setLevelsPublic(currentTarget.checked)}
          />
          <span>
            The values of text columns are public
            <span class="hint">Otherwise they count as learned from everyone's rows.</span>
          </span>
        </label>
      )}
      <SelectField
        id="scaling"
        label="Rows are"
        value={scaling}
        options={SCALINGS}
        onInput={(kind) => setScaling(kind)}
      />
      <p class="hint">
        {scaling === "none" && "Rows longer than 1 are refused by some methods. "}
        Missing numbers take the mean of their own task.
      </p>
      <button
        type="button"
        class="primary"
        disabled={task === target || features.length === 0 || unusable !== null}
        onClick={() => void use()}
      >
        Use this table
      </button>
      {task === target && <p class="problem">Task and target must be two columns.</p>}
      {unusable !== null && (
        <p class="problem">
          The range of {unusable}: expected two numbers, the first below the second, or nothing.
        </p>
      )}
    </div>
  );
}

/** What was said of columns before: features that were not used are not wanted. */
const wishesOf = (kept: TableChoice | null, names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name) =>
      kept && name !== kept.task && name !== kept.target
        ? [[name, kept.features.includes(name)]]
        : [],
    ),
  );

interface FeatureListProps {
  readonly columns: readonly FeatureColumn[];
  onToggle(name: string, wanted: boolean): void;
}

function FeatureList({ columns, onToggle }: FeatureListProps) {
  const used = columns.filter((column) => column.used).length;
  return (
    <details class="advanced">
      <summary>
        Feature columns: {used} of {columns.length}
      </summary>
      <div class="feature-list" role="group" aria-label="Feature columns">
        {columns.map((column) => (
          <label class="choice" key={column.name}>
            <input
              type="checkbox"
              checked={column.used}
              onChange={({ currentTarget }) => onToggle(column.name, currentTarget.checked)}
            />
            <span>
              {column.name}
              {column.categorical && <span class="small"> (categories)</span>}
            </span>
          </label>
        ))}
      </div>
    </details>
  );
}
