/**
 * What releases that hide single records promise against whoever is given a model, where models are functions of releases alone.
 *
 * **Statement.** If every task's model is a function of releases that are (eps, delta)-DP of one record, the models of all tasks
 * together, with all that was released, are so too. **Proof.** Post-processing. QED
 * @module
 */
import type { Guarantee, RecordGuarantee } from "../../privacy/index.js";
import { ownModelWords } from "../../privacy/guarantee/guarantee-words.js";

/** The joint guarantee, of records or persons, as one against whoever has any model. */
export function heldByHolders(joint: Guarantee): RecordGuarantee {
  const { attacker, adjacency, epsilon, delta, accountant, mechanism, sound, why } = joint;
  const { noiseSource, private: isPrivate, spent, colluding, collusion } = joint;
  return {
    kind: "record",
    against: "own model",
    ...ownModelWords(joint),
    // Who drew noise shares is no better off with a model than without.
    ...(colluding === undefined ? {} : { colluding }),
    ...(collusion ? { collusion } : {}),
    ...(attacker ? { attacker } : {}),
    adjacency,
    epsilon,
    delta,
    accountant: accountant as RecordGuarantee["accountant"],
    mechanism,
    sound,
    why,
    noiseSource,
    private: isPrivate,
    spent,
  };
}
