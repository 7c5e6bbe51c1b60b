/**
 * Audits of whole fits that hide single records, their halves as they are or with a planted fault.
 * @module
 */
import { audit, makeEstimator } from "../../../src/learning/index.js";
import type { DividedEstimator } from "../../../src/learning/release/private-estimator.js";
import type { RandomOptions } from "../../../src/random/index.js";
import { thorough } from "../../thorough.js";
import { makeLabelled, makeTasks } from "../tasks.js";
import type { Wrap } from "./wraps.js";

/** What is audited, and how. */
export interface AuditOfRecords {
  readonly method: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly sizes: Parameters<typeof makeTasks>[0];
  /** Default 200; of a sound fit, of which more would find nothing either, 16, or 60 where all tests are asked for. */
  readonly trials?: number | undefined;
  readonly seed: string;
  readonly wrap?: Wrap | undefined;
}

export function auditOfRecords(asked: AuditOfRecords) {
  const { method, options, sizes, seed, wrap = (halves) => halves } = asked;
  const { trials = asked.wrap ? 200 : thorough ? 60 : 16 } = asked;
  return audit({
    estimator: (random: RandomOptions) => {
      const estimator = makeEstimator(method, { ...options, random }) as DividedEstimator;
      Object.assign(estimator, { halves: wrap(estimator.halves) });
      return estimator;
    },
    tasks: options["loss"] === "logistic" ? makeLabelled(sizes) : makeTasks(sizes),
    trials,
    confidence: 0.999,
    random: { mode: "seeded", seed },
  });
}
