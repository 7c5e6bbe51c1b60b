/**
 * Everything that can be set, and the button that starts.
 * @module
 */
import { awaitsTable, dataSet, loading, openTable } from "../../state/data.js";
import { run, runState, startRun, stopRun } from "../../state/run.js";
import { DataChoice } from "../data/data-choice.js";
import { MethodChoice } from "./method-choice.js";
import { PrivacyChoice } from "./privacy-choice.js";
import { Problem } from "../parts/problem.js";

export function Controls() {
  return (
    <form
      class="controls"
      aria-label="Settings"
      onSubmit={(event) => {
        event.preventDefault();
        void startRun();
      }}
    >
      <DataChoice />
      <MethodChoice />
      <PrivacyChoice />
      <Buttons />
    </form>
  );
}

function Buttons() {
  const state = runState.value;
  const running = state.status === "running";
  const progress = running ? state.progress : null;
  return (
    <div class="buttons">
      <button
        type="submit"
        class="primary"
        disabled={!dataSet.value || loading.value || awaitsTable.value}
      >
        {running ? "Start again" : "Learn"}
      </button>
      {/* Not disabled: whoever just pressed it would lose their place. */}
      <button type="button" onClick={() => running && stopRun()} aria-disabled={!running}>
        Stop
      </button>
      <p class="state">
        {running && (
          <>
            <progress
              aria-label="Rounds"
              {...(progress ? { value: progress.round, max: progress.rounds } : {})}
            />
            {progress ? `round ${progress.round} of ${progress.rounds}` : "starting"}
          </>
        )}
        {awaitsTable.value && openTable.value && "Use the table first, above."}
        {state.status === "stopped" && !awaitsTable.value && "Stopped."}
        {state.status === "idle" && !awaitsTable.value && run.value && (
          <a class="to-results" href="#results">
            See the results
          </a>
        )}
      </p>
      <Problem text={state.status === "failed" ? state.problem : null} />
    </div>
  );
}
