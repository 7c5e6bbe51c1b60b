/**
 * A field for a positive number; what cannot be used is said below it and not taken.
 * @module
 */
import { useEffect, useState } from "preact/hooks";

interface NumberFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
  readonly value: number;
  readonly whole?: boolean;
  readonly least?: number;
  readonly most?: number;
  onInput(value: number): void;
}

export function NumberField(props: NumberFieldProps) {
  const { id, label, hint, value, whole = false, least = 0, most = 1e9, onInput } = props;
  const [typed, setTyped] = useState(String(value));
  const [wrong, setWrong] = useState(false);
  useEffect(() => {
    setTyped(String(value));
    setWrong(false);
  }, [value]);
  const take = (text: string) => {
    setTyped(text);
    const number = text.trim() === "" ? NaN : Number(text);
    const usable =
      (whole ? Number.isInteger(number) : number > 0) && number >= least && number <= most;
    setWrong(!usable);
    if (usable) onInput(number);
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode={whole ? "numeric" : "decimal"}
        autocomplete="off"
        value={typed}
        aria-describedby={`${id}-hint`}
        aria-invalid={wrong}
        onInput={({ currentTarget }) => take(currentTarget.value)}
      />
      <p id={`${id}-hint`} class={wrong ? "problem" : "hint"}>
        {wrong
          ? `Expected a ${whole ? "whole number" : "number"} ${least > 0 ? `from ${least}` : "above 0, up"} to ${most}.`
          : hint}
      </p>
    </div>
  );
}
