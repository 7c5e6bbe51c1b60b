/**
 * Which column of one's own table is what.
 * @module
 */
import type { LossName } from "../../../../src/learning/index.js";
import { chooseTable } from "../../state/choose-data.js";
import type { OpenTable } from "../../state/data.js";
import { count } from "../../text/numbers.js";
import type { Scaling } from "../../work/messages.js";
import { FeatureList } from "./feature-list.js";
import { RangeChoice } from "./range-fields.js";
import { SelectField } from "../parts/select-field.js";
import { MissingCodes } from "./missing-codes.js";
import { useTableAnswers } from "./table-answers.js";

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

export function TableForm({ table }: { table: OpenTable }) {
  const answers = useTableAnswers(table);
  const { choice, ranged, problems } = answers;
  const { name, rows, columns } = table.summary;
  const names = columns.map((column) => [column.name, column.name] as const);
  return (
    <div class="table-form">
      <p>
        <strong>{name}</strong>: {count(rows)} rows, {columns.length} columns
      </p>
      <SelectField
        id="task-column"
        label="Task: who owns the row"
        value={choice.task}
        options={names}
        onInput={answers.setTask}
      />
      <SelectField
        id="target-column"
        label="Target: what is predicted"
        value={choice.target}
        options={names}
        onInput={answers.setTarget}
      />
      <SelectField
        id="target-kind"
        label="The target is"
        value={choice.loss}
        options={LOSSES}
        onInput={answers.setLoss}
      />
      <TargetDoubt target={choice.target} doubt={answers.targetDoubt} />
      <FeatureList columns={answers.columns} onToggle={answers.toggle} />
      <MissingCodes
        codes={answers.codes}
        chosen={choice.missingCodes ?? []}
        onInput={answers.setCode}
      />
      {ranged.length > 0 && (
        <RangeChoice
          names={ranged}
          from={choice.rangesFrom}
          typed={answers.typed}
          onFrom={answers.setRangesFrom}
          onInput={answers.setRange}
          limits={answers.limits}
          limitsFit={answers.limitsFit}
          onLimits={answers.setLimits}
        />
      )}
      {(choice.categorical.length > 0 || choice.loss !== "squared") && (
        <PublicLevels checked={choice.levelsPublic} onInput={answers.setLevelsPublic} />
      )}
      <SelectField
        id="scaling"
        label="Rows are"
        value={choice.scaling}
        options={SCALINGS}
        onInput={answers.setScaling}
      />
      <p class="hint">
        {choice.scaling === "none" && "Rows longer than 1 are refused by some methods. "}
        Missing numbers take the mean of their own task.
      </p>
      <button
        type="button"
        class="primary"
        disabled={problems.length > 0}
        onClick={() => void chooseTable(choice)}
      >
        Use this table
      </button>
      {problems.map((problem) => (
        <p class="problem" key={problem}>
          {problem}
        </p>
      ))}
    </div>
  );
}

function TargetDoubt({ target, doubt }: { target: string; doubt: string | undefined }) {
  if (doubt === undefined) return null;
  return (
    <p class="hint">
      {target} holds {doubt}.
    </p>
  );
}

interface PublicLevelsProps {
  readonly checked: boolean;
  onInput(checked: boolean): void;
}

function PublicLevels({ checked, onInput }: PublicLevelsProps) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onInput(currentTarget.checked)}
      />
      <span>
        The values of text columns, and the target's labels, are public
        <span class="hint">
          And which of these columns have gaps. Otherwise all of it counts as learned from
          everyone's rows.
        </span>
      </span>
    </label>
  );
}
