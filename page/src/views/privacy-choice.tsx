/**
 * The budget, and what few need to change.
 * @module
 */
import { dataSet } from "../state/data.js";
import {
  adjacency,
  automaticDelta,
  clip,
  clipInForce,
  delta,
  epsilon,
  lambda,
  lambdaInForce,
  mechanism,
  method,
  rounds,
  seed,
} from "../state/settings.js";
import { MECHANISM_WORDS } from "../text/methods.js";
import { oddsFactor, oneIn, short } from "../text/numbers.js";
import { EpsilonSlider } from "./epsilon-slider.js";
import { NumberField } from "./number-field.js";

export function PrivacyChoice() {
  return (
    <fieldset>
      <legend>Privacy</legend>
      <EpsilonSlider
        id="epsilon"
        label="Epsilon, the budget"
        describedBy="epsilon-words"
        value={epsilon.value}
        onInput={(value) => (epsilon.value = value)}
      />
      <p id="epsilon-words" class="hint">
        Whatever others believe about one task, all they receive changes the odds by a factor of at
        most <strong>{oddsFactor(epsilon.value)}</strong>.
      </p>
      <DeltaChoice />
      <details class="advanced">
        <summary>More settings</summary>
        <Advanced />
      </details>
    </fieldset>
  );
}

function DeltaChoice() {
  const m = dataSet.value?.data.train.names.length;
  const automatic = m === undefined ? undefined : automaticDelta(m);
  const words =
    automatic === undefined
      ? "1 in 100,000 (automatic)"
      : `${short(automatic)}, ${oneIn(automatic)} (automatic)`;
  return (
    <div class="field">
      <label for="delta">Delta, the chance that the promise fails</label>
      <select
        id="delta"
        value={String(delta.value)}
        onChange={({ currentTarget: { value } }) =>
          (delta.value = value === "auto" ? "auto" : Number(value))
        }
      >
        <option value="auto">{words}</option>
        <option value={String(1e-5)}>1 in 100,000</option>
        <option value={String(1e-6)}>1 in a million</option>
        <option value="0">0: never (more noise)</option>
      </select>
    </div>
  );
}

function Advanced() {
  const { mechanisms, rounds: standard, clips, lambda: hasLambda } = method.value;
  return (
    <>
      {mechanisms.length > 0 && (
        <div class="field">
          <label for="mechanism">Noise</label>
          <select
            id="mechanism"
            value={mechanism.value}
            onChange={({ currentTarget: { value } }) =>
              (mechanism.value = value as typeof mechanism.value)
            }
          >
            <option value="auto">the best that holds (automatic)</option>
            {mechanisms.map((name) => (
              <option value={name} key={name}>
                {MECHANISM_WORDS[name] ?? name}
              </option>
            ))}
          </select>
        </div>
      )}
      <div class="field">
        <label for="adjacency">What one task is compared with</label>
        <select
          id="adjacency"
          value={adjacency.value}
          onChange={({ currentTarget: { value } }) =>
            (adjacency.value = value as typeof adjacency.value)
          }
        >
          <option value="replace">other data in its place</option>
          <option value="zero-out">contributing nothing</option>
        </select>
      </div>
      {standard !== undefined && (
        <NumberField
          id="rounds"
          label="Rounds"
          hint="The budget is spread over them."
          value={rounds.value ?? standard}
          whole
          least={1}
          most={2000}
          onInput={(value) => (rounds.value = value)}
        />
      )}
      {clips && (
        <NumberField
          id="clip"
          label="Clip"
          hint="Bound on the size of what a task shares. It must be public knowledge, not read off the data."
          value={clipInForce.value}
          onInput={(value) => (clip.value = value)}
        />
      )}
      {hasLambda !== undefined && (
        <NumberField
          id="lambda"
          label="Lambda"
          hint="How strongly models are drawn together."
          value={lambdaInForce.value}
          onInput={(value) => (lambda.value = value)}
        />
      )}
      <div class="field">
        <label for="seed">Seed</label>
        <input
          id="seed"
          type="text"
          autocomplete="off"
          placeholder="none: secure noise"
          aria-describedby="seed-hint"
          value={seed.value}
          onInput={({ currentTarget: { value } }) => (seed.value = value)}
        />
        <p id="seed-hint" class="hint">
          With a seed the run can be repeated, and therefore protects no one.
        </p>
      </div>
    </>
  );
}
