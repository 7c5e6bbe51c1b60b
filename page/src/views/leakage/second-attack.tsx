/**
 * The second attack: which noise can be certain to have hidden whether a task took part.
 * @module
 */
import type { LeakageState } from "../../state/leakage.js";
import { percent, shortPromise, shortProven } from "../../text/numbers.js";

export function SecondAttack({ epsilon, certainty }: LeakageState) {
  return (
    <>
      <h3>Second attack: be certain whether a task took part</h3>
      <p>
        The same round is played {certainty.paper.trials.toLocaleString("en-US")} times with and
        without one task. Is there an outcome that gives it away? The papers' noise only ever adds,
        never takes away: a sum that is too small in the task's direction proves that it was not
        there.
      </p>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Noise</th>
            <th scope="col">Claimed</th>
            <th scope="col">Proven by the attack</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          <CertaintyRow name="The papers'" outcome={certainty.paper} />
          <CertaintyRow name="Ours" outcome={certainty.ours} />
        </tbody>
      </table>
      <p class="small">
        Delta is how often the promise of epsilon {shortPromise(epsilon)} is broken; both claim
        never. The attack proves a delta at least this large, at{" "}
        {percent(certainty.paper.confidence)} confidence. That no attack succeeds proves nothing by
        itself: ours has a mathematical proof, given in the library's source.
      </p>
    </>
  );
}

function CertaintyRow({
  name,
  outcome,
}: {
  name: string;
  outcome: LeakageState["certainty"]["paper"];
}) {
  const violated = outcome.verdict === "violated";
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>delta {shortPromise(outcome.claimedDelta)}</td>
      <td>
        {violated
          ? `delta at least ${shortProven(outcome.provenDelta)}`
          : "nothing beyond the claim"}
      </td>
      <td>{violated ? "✗ does not hold" : "✓ withstood"}</td>
    </tr>
  );
}
