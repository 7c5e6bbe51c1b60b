/**
 * What a record-level baseline promises: to a task by the lift of one record's guarantee, and to a record.
 * @module
 */
import { recordsApart, type TaskSet } from "../../../data/index.js";
import type { Guarantee, RecordGuarantee } from "../../../privacy/index.js";
import { inOnePlace } from "../../../privacy/guarantee/guarantee-words.js";
import type { FitOptions } from "../../round/estimator.js";
import { heldByHolders } from "../../release/held-by-holders.js";
import type { PrivateReleases } from "../../release/private-releases.js";
import { statedUncharged } from "../../release/uncharged.js";
import type { RecordLevelOptions } from "./options.js";

/** What a record is promised against whoever is given the models, which are functions of the releases; null without the unit. */
export function heldByAll(
  joint: Guarantee,
  { unit, safeguard }: RecordLevelOptions,
): RecordGuarantee | null {
  if (unit === "task" || safeguard || !joint.sound) return null;
  return heldByHolders(joint);
}

/** The task-level statement, and whether it holds. */
export function recordLevelGuarantee(
  releases: PrivateReleases,
  data: TaskSet,
  options: RecordLevelOptions,
  { notCharged = [] }: FitOptions,
): Guarantee {
  const { slopeBound, safeguard } = options;
  const released = inOnePlace(
    releases.guarantee(statedUncharged(data, options, notCharged), {
      recordsApart: recordsApart(data),
    }),
  );
  // Whom the safeguard's models do not protect, a promise to records alone does not speak of.
  const own =
    "a task that the safeguard leaves alone has a model without noise: a record is protected from the " +
    "other tasks, not from whoever holds its own task's model";
  const lifted = safeguard
    ? { ...released, note: [released.note, own].filter(Boolean).join("; ") }
    : released;
  if (slopeBound !== "data") return lifted;
  const problem =
    "the noise is scaled to the largest slope on the data at hand, which is itself unprotected and " +
    "smaller than what a changed record can have";
  return { ...withoutClaims(lifted), sound: false, private: false, why: problem };
}

/** What is left of a statement whose noise protects nobody as it says: its figures are the papers', and nothing is said to follow from them. */
function withoutClaims(stated: Guarantee): Guarantee {
  const {
    gaussian: _gaussian,
    attacker: _attacker,
    record: _record,
    note: _note,
    ...others
  } = stated;
  const { epsilon, delta } = stated;
  const note = "epsilon and delta are nominal: what the papers would print";
  return { ...others, note, nominal: { epsilon, delta } };
}
