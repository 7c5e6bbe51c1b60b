/**
 * What came out of the fit.
 * @module
 */
import { dataProblem, dataSet, loading } from "../../state/data.js";
import { run, runState } from "../../state/run.js";
import { settings } from "../../state/settings.js";
import { titleOf } from "../../text/methods.js";
import { plural, short, shortPromise } from "../../text/numbers.js";
import { Accuracy } from "./accuracy.js";
import { Coefficients } from "./coefficients.js";
import { Curve } from "./curve.js";
import { GuaranteePanel, Verdict } from "./guarantee-panel.js";
import { Later } from "../keep/later.js";
import { Rounds } from "./rounds.js";
import { TakeAway } from "../keep/take-away.js";

export function Results() {
  const shown = run.value;
  return (
    <div id="results" tabIndex={-1} class="results" aria-busy={runState.value.status === "running"}>
      {shown ? (
        <>
          <p class="what">
            {dataSet.value?.title}: {shown.settings.method.title}, epsilon{" "}
            {shortPromise(shown.settings.epsilon)}, {plural(shown.outcome.rounds, "round")},{" "}
            {short(shown.outcome.seconds)} s.
            {shown.outcome.why !== null &&
              ` It took “${titleOf(shown.outcome.method)}”, because ${withoutFlags(shown.outcome.why)}.`}
            {settings.value !== shown.settings && !same(shown.settings.options) && (
              <em> The settings have changed since; choose Learn to use them.</em>
            )}
          </p>
          <Verdict guarantee={shown.outcome.guarantee} />
          <Accuracy />
          <Curve />
          <GuaranteePanel guarantee={shown.outcome.guarantee} />
          <Coefficients summary={shown.outcome.summary} />
          {shown.outcome.later && <Later model={shown.outcome.file} />}
          <Rounds />
          <TakeAway />
        </>
      ) : (
        <p class="waiting">{waitingWords()}</p>
      )}
    </div>
  );
}

/** Reasons name the command line's flags in brackets; the page has none. */
const withoutFlags = (why: string) => why.replaceAll(/ \(--[^)]*\)/g, "");

/** Whether these options are those that the next fit would have. */
function same(options: Readonly<Record<string, unknown>>): boolean {
  return JSON.stringify(options) === JSON.stringify(settings.value.options);
}

function waitingWords(): string {
  if (loading.value) return "Getting the data ready…";
  if (dataProblem.value) return "Nothing to show: there is no data. The reason stands beside it.";
  switch (runState.value.status) {
    case "running":
      return "Learning…";
    case "failed":
      return "Nothing to show: the fit did not work. The reason stands below the settings.";
    default:
      return "Choose data, a method and a budget, then Learn.";
  }
}
