/**
 * Which values of one's own table stand for missing ones: what looks like it is asked, and nothing is taken for it unasked.
 * @module
 */
import type { FoundCode } from "./table-answers.js";

interface MissingCodesProps {
  readonly codes: readonly FoundCode[];
  readonly chosen: readonly string[];
  onInput(value: string, isMissing: boolean): void;
}

export function MissingCodes({ codes, chosen, onInput }: MissingCodesProps) {
  if (codes.length === 0) return null;
  return (
    <fieldset>
      <legend>Does this mean “missing”?</legend>
      {codes.map(({ value, names }) => (
        <label class="choice" key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) => onInput(value, currentTarget.checked)}
          />
          <span>
            {value}
            <span class="hint">Unlike all other values of {names.join(", ")}.</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
