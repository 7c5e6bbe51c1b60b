/**
 * What all tasks have in common, where the method says so: effects with their standard errors.
 * @module
 */
import type { ModelSummary } from "../../../../src/learning/index.js";
import { short } from "../../text/numbers.js";

/** As many as people read; all are in the model file. */
const MOST = 30;

export function Coefficients({ summary }: { summary: ModelSummary | null }) {
  if (!summary || summary.coefficients.length === 0) return null;
  const { coefficients, units, charged, notCharged, loss, classes } = summary;
  return (
    <section aria-labelledby="coefficients-title">
      <h2 id="coefficients-title">What the tasks have in common</h2>
      <p class="small">
        A coefficient of all tasks, its standard error, any noise for privacy included, and how far
        tasks lie apart.{" "}
        {loss === "logistic" && classes
          ? `They are of the log-odds of “${classes[1]}” against “${classes[0]}”. `
          : ""}
        {units === "prepared" ? "Of rows as they were scaled. " : "In the units of the table. "}
        {charged
          ? notCharged.length > 0
            ? `All numbers follow from what the budget paid for. What columns there are does not, and shows when they are shown: ${notCharged.join(", ")}. How far tasks lie apart is rough.`
            : "All of it follows from what the budget paid for, so it may be shown; how far tasks lie apart is rough."
          : "No noise that holds hides whose rows it is made of: it is for the curator only."}
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="Coefficients">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">feature</th>
              <th scope="col">coefficient</th>
              <th scope="col">standard error</th>
              <th scope="col">between tasks</th>
            </tr>
          </thead>
          <tbody>
            {coefficients.slice(0, MOST).map(({ name, estimate, standardError, betweenTasks }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{short(estimate)}</td>
                <td>{standardError === null ? "–" : short(standardError)}</td>
                <td>{short(betweenTasks)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {coefficients.length > MOST && (
        <p class="small">And {coefficients.length - MOST} more, in the model file.</p>
      )}
    </section>
  );
}
