/**
 * A slider over eps on a logarithmic scale, and a field for the exact number.
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { LEAST_EPSILON, MOST_EPSILON } from "../../state/settings.js";
import { oddsFactor, shortPromise } from "../../text/numbers.js";

/** Steps of a twentieth of a decade. */
const STEP = 0.05;

interface EpsilonSliderProps {
  readonly id: string;
  readonly label: string;
  readonly value: number;
  readonly describedBy?: string;
  /** Right end of the slider; default that of the settings. */
  readonly most?: number;
  onInput(value: number): void;
  /** When the user lets go. */
  onSettled?(): void;
}

export function EpsilonSlider({
  id,
  label,
  value,
  describedBy,
  most = MOST_EPSILON,
  onInput,
  onSettled,
}: EpsilonSliderProps) {
  const [typed, setTyped] = useState(shortPromise(value));
  useEffect(() => setTyped(shortPromise(value)), [value]);
  const take = (text: string) => {
    setTyped(text);
    const number = Number(text);
    if (text.trim() !== "" && Number.isFinite(number) && number > 0) onInput(number);
  };
  return (
    <div class="epsilon">
      <label for={id}>{label}</label>
      <input
        class="exact"
        type="text"
        inputMode="decimal"
        autocomplete="off"
        aria-label={`${label}, as a number`}
        value={typed}
        onInput={(event) => take(event.currentTarget.value)}
        onBlur={() => setTyped(shortPromise(value))}
        onChange={() => onSettled?.()}
      />
      <input
        id={id}
        type="range"
        min={Math.log10(LEAST_EPSILON)}
        max={Math.log10(most)}
        step="any"
        value={Math.log10(value)}
        aria-valuetext={`${shortPromise(value)}; odds rise by a factor of at most ${oddsFactor(value)}`}
        aria-describedby={describedBy}
        onInput={(event) => onInput(rounded(10 ** Number(event.currentTarget.value)))}
        onKeyDown={(event) => {
          const steps = KEYS[event.key];
          if (steps === undefined) return;
          event.preventDefault();
          const moved = rounded(10 ** (Math.log10(value) + steps * STEP));
          onInput(Math.min(most, Math.max(LEAST_EPSILON, moved)));
        }}
        onKeyUp={(event) => {
          if (KEYS[event.key] !== undefined) onSettled?.();
        }}
        onChange={() => onSettled?.()}
      />
      <div class="ends" aria-hidden="true">
        <span>more private</span>
        <span>more accurate</span>
      </div>
    </div>
  );
}

const KEYS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -5,
  PageUp: 5,
  Home: -Infinity,
  End: Infinity,
};

/** Two digits are enough for a slider. */
const rounded = (value: number) => Number(value.toPrecision(2));
