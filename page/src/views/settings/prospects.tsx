/**
 * What the budget can be expected to buy, before "Learn" is pressed, and delta where it goes by the number of tasks. Loaded once the
 * page stands.
 * @module
 */
import { resolveDelta } from "../../../../src/privacy/delta.js";
import { dataSet } from "../../state/data.js";
import { delta, epsilon, mechanism, method } from "../../state/settings.js";
import { isPapers } from "../../text/methods.js";
import { prospectsWords } from "../../text/prospects-words.js";

/** The default of delta for m tasks. */
export const automaticDelta = (m: number): number => resolveDelta("auto", m);

export function Prospects() {
  const sizes = dataSet.value?.data.sizes;
  // Noise that does not hold has no budget.
  if (!sizes || isPapers(mechanism.value)) return null;
  const asked = { method: method.value.method, epsilon: epsilon.value, delta: delta.value };
  return (
    <div id="prospects">
      {prospectsWords(sizes, asked).map((words) => (
        <p class="hint" key={words}>
          {words}
        </p>
      ))}
    </div>
  );
}
