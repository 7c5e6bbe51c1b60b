/**
 * Which method learns.
 * @module
 */
import { available, chooseMethod, method } from "../../state/settings.js";
import type { MethodInfo } from "../../text/methods.js";

const GROUPS: readonly MethodInfo["group"][] = ["Start here", "The papers' methods", "Baselines"];

export function MethodChoice() {
  const methods = available.value;
  const { id, words } = method.value;
  return (
    <fieldset>
      <legend>Method</legend>
      <label for="method" class="unseen">
        Method
      </label>
      <select
        id="method"
        value={id}
        aria-describedby="method-words"
        onChange={(event) => chooseMethod(event.currentTarget.value)}
      >
        {GROUPS.map((group) => {
          const members = methods.filter((entry) => entry.group === group);
          return (
            members.length > 0 && (
              <optgroup label={group} key={group}>
                {members.map((entry) => (
                  <option value={entry.id} key={entry.id}>
                    {entry.title}
                  </option>
                ))}
              </optgroup>
            )
          );
        })}
      </select>
      <p id="method-words" class="hint">
        {words}
      </p>
    </fieldset>
  );
}
