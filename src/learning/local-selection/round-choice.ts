/**
 * What tasks that step by projected gradients keep of the rounds: an average of their models, or their
 * model alone.
 * @module
 */
import type { Preference } from "./candidates.js";
import type { HeldOutChoice } from "./held-out-choice.js";
import type { PartModels, ProximalGradient } from "../steps/proximal-gradient.js";
import type { LocalModels } from "../tasks/ridge.js";

/** What there is to keep. */
export interface Keepable {
  /** The models of every candidate, copied out of the core. */
  readonly models: readonly PartModels[];
  /** Every task's model without the others. */
  readonly alone: LocalModels;
}

/**
 * Puts every task's average of the candidates' models, with the weights its held-out rows give them, into the
 * participants; without `preferred` the last round's as they are. Then, with `safeguard`, its model alone
 * where that is clearly better.
 */
export function keepOfRounds(
  participants: ProximalGradient,
  choice: HeldOutChoice,
  { models, alone }: Keepable,
  { preferred, safeguard }: { preferred: Preference | undefined; safeguard: boolean },
): void {
  const weights = choice.weights(preferred, models.length - 1);
  if (preferred) participants.replace(averageParts(models, weights, choice.m));
  if (!safeguard) return;
  participants.replace(aloneParts(alone, participants), choice.keepAlone(weights, preferred));
}

/** Row i: sum_k weights[i, k] models[k] row i; all of one length, m rows each. */
export function averageModels(
  models: readonly Float64Array[],
  weights: Float64Array,
  m: number,
): Float64Array {
  const count = models.length;
  const out = new Float64Array(models[0]!.length);
  const width = out.length / m;
  models.forEach((values, k) => {
    for (let j = 0; j < out.length; j++) {
      out[j]! += weights[Math.floor(j / width) * count + k]! * values[j]!;
    }
  });
  return out;
}

function averageParts(models: readonly PartModels[], weights: Float64Array, m: number): PartModels {
  const mix = (part: (of: PartModels) => Float64Array | undefined) =>
    part(models[0]!) &&
    averageModels(
      models.map((of) => part(of)!),
      weights,
      m,
    );
  return {
    shared: mix((of) => of.shared)!,
    local: mix((of) => of.local),
    intercepts: mix((of) => of.intercepts),
  };
}

/** A model that owes the others nothing is all local part, where there is one. */
function aloneParts(
  { weights, intercepts }: LocalModels,
  { localOutput, intercepts: at }: ProximalGradient,
): PartModels {
  return {
    shared: localOutput === 0 ? weights : new Float64Array(weights.length),
    local: localOutput === 0 ? undefined : weights,
    intercepts: at === 0 ? undefined : intercepts,
  };
}
