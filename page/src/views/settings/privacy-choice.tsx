/**
 * The budget, and what few need to change.
 * @module
 */
import { signal } from "@preact/signals";
import { dataSet } from "../../state/data.js";
import {
  adjacency,
  clip,
  clipInForce,
  clipIsLearned,
  delta,
  epsilon,
  lambda,
  lambdaInForce,
  mechanism,
  method,
  rounds,
  seed,
} from "../../state/settings.js";
import { budgetWords } from "../../text/budget-words.js";
import { MECHANISM_WORDS } from "../../text/methods.js";
import { oddsFactor, oneIn, short } from "../../text/numbers.js";
import { EpsilonSlider } from "../parts/epsilon-slider.js";
import { NumberField } from "../parts/number-field.js";
import type * as Reckoning from "./prospects.js";
import { SelectField } from "../parts/select-field.js";

/** What is reckoned from sizes and budget, with the library's functions: loaded once the page stands. */
const reckoning = signal<typeof Reckoning | null>(null);
void import("./prospects.js").then((loaded) => (reckoning.value = loaded));

export function PrivacyChoice() {
  const { Prospects } = reckoning.value ?? {};
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
        {budgetWords({
          adjacency: adjacency.value,
          mechanism: method.value.mechanisms.length > 0 ? mechanism.value : "auto",
          seed: seed.value,
        })}{" "}
        <strong>{oddsFactor(epsilon.value)}</strong>.
      </p>
      <DeltaChoice />
      {Prospects && <Prospects />}
      <details class="advanced">
        <summary>More settings</summary>
        <Advanced />
      </details>
    </fieldset>
  );
}

function DeltaChoice() {
  const m = dataSet.value?.data.train.names.length;
  const automatic = m === undefined ? undefined : reckoning.value?.automaticDelta(m);
  const words =
    automatic === undefined ? "automatic" : `${short(automatic)}, ${oneIn(automatic)} (automatic)`;
  return (
    <SelectField
      id="delta"
      label="Delta, a tenth of the chance that this fails"
      value={String(delta.value)}
      options={[
        ["auto", words],
        [String(1e-5), "1 in 100,000"],
        [String(1e-6), "1 in a million"],
        ["0", "0: never (more noise)"],
      ]}
      onInput={(value) => (delta.value = value === "auto" ? "auto" : Number(value))}
    />
  );
}

function ClipChoice() {
  return (
    <>
      <SelectField
        id="clip-from"
        label="Where the bound on uploads is from"
        value={clipIsLearned.value ? "auto" : "given"}
        options={[
          ["given", "public knowledge: a number"],
          ["auto", "a vote of all tasks, paid by the budget"],
        ]}
        onInput={(value) => (clipIsLearned.value = value === "auto")}
      />
      {!clipIsLearned.value && (
        <NumberField
          id="clip"
          label="Clip"
          hint="Bound on the size of what a task uploads. It must be public knowledge, not read off the data."
          value={clipInForce.value}
          onInput={(value) => (clip.value = value)}
        />
      )}
    </>
  );
}

function Advanced() {
  const { mechanisms, rounds: standard, clips, lambda: hasLambda } = method.value;
  return (
    <>
      {mechanisms.length > 0 && (
        <SelectField
          id="mechanism"
          label="Noise"
          value={mechanism.value}
          options={[
            ["auto", "the best that holds (automatic)"],
            ...mechanisms.map((name) => [name, MECHANISM_WORDS[name] ?? name] as const),
          ]}
          onInput={(value) => (mechanism.value = value)}
        />
      )}
      <SelectField
        id="adjacency"
        label="What one task is compared with"
        value={adjacency.value}
        options={[
          ["replace", "other data in its place"],
          ["zero-out", "contributing nothing"],
        ]}
        onInput={(value) => (adjacency.value = value)}
      />
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
      {clips && <ClipChoice />}
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
