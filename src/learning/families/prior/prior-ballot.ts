/**
 * Whether the strength of a shared prior is chosen by all tasks together, and under which noise:
 * decided from public sizes only, so curator and participants come to the same answer.
 * @module
 */
import * as math from "../../../core/elementary.js";
import { OptionError } from "../../../core/index.js";
import type { Mechanism, MechanismFactory } from "../../../privacy/index.js";
import { voteMechanism } from "../../release/ballot.js";
import { resolveDelta } from "../../options/private-options.js";
import { shareOfBudget } from "../../release/private-rounds.js";
import {
  DEFAULT_STRENGTH,
  marginLoss,
  STRENGTHS,
  VOTED,
  type PriorMethodOptions,
} from "./prior-options.js";

/** A planned pooled choice. */
export interface Ballot {
  readonly mechanism: Mechanism;
  readonly share: number;
  readonly candidates: readonly number[];
  readonly center: number;
}

/** All votes together over the noise's deviation, from which on they beat a local choice. */
const AUDIBLE = 10;

/**
 * The pooled choice, or undefined where each task chooses alone.
 *
 * @param make makes the votes' mechanism, where its noise comes in shares.
 * @throws OptionError if one is asked for that cannot be.
 */
export function planBallot(
  options: PriorMethodOptions,
  statistic: Mechanism["statistic"],
  m: number,
  make?: MechanismFactory,
): Ballot | undefined {
  const { choice, choiceShare: share, epsilon } = options;
  if (choice === "pooled" && options.curator === "untrusted") {
    throw new OptionError(
      'choice: a pooled choice shows the curator votes that no record noise covers; use "local"',
    );
  }
  if (choice === "pooled" && options.priorStrength !== "auto") {
    throw new OptionError("choice: priorStrength is given, so there is nothing to choose");
  }
  if (choice === "local" || options.priorStrength !== "auto" || options.curator === "untrusted") {
    return undefined;
  }
  const loss = marginLoss(options.loss);
  const delta = resolveDelta(options.delta, m);
  const center = DEFAULT_STRENGTH[loss];
  const candidates = STRENGTHS[loss].filter(
    (kappa) => Math.abs(math.log10(kappa / center)) < VOTED + 0.01,
  );
  const mechanism = voteMechanism(options, statistic, m, candidates.length, make);
  const scale = mechanism.noiseScale(shareOfBudget(mechanism, share, epsilon, delta));
  const deviation = scale * (mechanism.budgetKind === "mu" ? 1 : Math.sqrt(candidates.length + 1));
  if (choice === "auto" && m / deviation < AUDIBLE) return undefined;
  return { mechanism, share, candidates, center };
}
