/**
 * Which column of one's own table is what.
 * @module
 */
import { useState } from "preact/hooks";
import type { LossName } from "../../../src/learning/index.js";
import { chooseTable } from "../state/choose-data.js";
import type { OpenTable } from "../state/data.js";
import { startRun } from "../state/run.js";
import {
  featureColumns,
  type FeatureColumn,
  guessLoss,
  guessTarget,
  guessTask,
} from "../text/guess-columns.js";
import { count } from "../text/numbers.js";
import type { Scaling } from "../work/messages.js";
import { SelectField } from "./select-field.js";

const LOSSES: readonly (readonly [LossName, string])[] = [
  ["squared", "an amount"],
  ["logistic", "one of two"],
  ["softmax", "one of several"],
];

const SCALINGS: readonly (readonly [Scaling, string])[] = [
  ["standardize", "standardised within each task"],
  ["unit-rows", "scaled row by row only"],
  ["none", "as they are"],
];

export function TableForm({ table: { summary } }: { table: OpenTable }) {
  const names = summary.columns.map(({ name }) => name);
  const columnOf = (name: string) => summary.columns.find((column) => column.name === name)!;
  const [task, setTask] = useState(() => guessTask(summary));
  const [target, setTarget] = useState(() => guessTarget(summary, task));
  const [loss, setLoss] = useState<LossName>(() => guessLoss(columnOf(target)));
  const [scaling, setScaling] = useState<Scaling>("standardize");
  const [wishes, setWishes] = useState<Readonly<Record<string, boolean>>>({});
  const columns = featureColumns(summary, task, target, wishes);
  const used = columns.filter((column) => column.used);
  const features = used.map(({ name }) => name);
  const categorical = used.filter((column) => column.categorical).map(({ name }) => name);
  const choice = { task, target, loss, scaling, features, categorical };
  const use = async () => {
    if (await chooseTable(choice)) await startRun();
  };
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
      <SelectField
        id="scaling"
        label="Features are"
        value={scaling}
        options={SCALINGS}
        onInput={(kind) => setScaling(kind)}
      />
      <FeatureList
        columns={columns}
        onToggle={(name, wanted) => setWishes({ ...wishes, [name]: wanted })}
      />
      <p class="hint">
        {scaling === "none"
          ? "Rows longer than 1 are refused by some methods. "
          : "Rows are then scaled to length 1. "}
        Missing numbers take the mean of their own task.
      </p>
      <button
        type="button"
        class="primary"
        disabled={task === target || features.length === 0}
        onClick={() => void use()}
      >
        Use this table
      </button>
      {task === target && <p class="problem">Task and target must be two columns.</p>}
    </div>
  );
}

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
