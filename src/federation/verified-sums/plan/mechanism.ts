/**
 * The Gaussian mechanisms as a method's halves see them where two aggregators sum: each of the two adds all
 * the noise that the budget asks for.
 *
 * **Guarantee.** What is charged is what the noise of one aggregator gives. So the plan's (epsilon, delta)
 * holds for a task whose participant is honest against all other participants, the recipient of the sums
 * and **one of the two aggregators** together, however these behave, if the other aggregator follows the
 * protocol; computationally, with the streams as random oracles. It does not hold against both aggregators
 * together: they see every vector. Against those who see broadcasts only, there is twice the variance.
 *
 * **Proof.** The dishonest aggregator's view before sums are opened can be simulated from which reports are
 * valid (Davis et al. 2023; the honest aggregator's messages are uniform subject to that), and an honest
 * report is valid but for probability 2^-101, whatever its vector. It then chooses whose reports are in the
 * sum, without having learned of their vectors, and gets from the honest aggregator, once a round, the sum
 * less its own share, with noise N_Z(0, s^2) (N_Z(0, 2 s^2) on a diagonal): the integer statistic of the
 * chosen tasks, changed by one of them within its sensitivity, under noise calibrated to that, and one
 * `shareEvent` with h = 1. Reduction modulo q is post-processing. QED
 * @module
 */
import { object } from "../../../core/checks.js";
import { OptionError } from "../../../core/errors.js";
import type { CreateMechanismOptions, MechanismFactory } from "../../../privacy/index.js";
import { shareMechanism, type ShareMechanism } from "../../secure-aggregation/plan/mechanism.js";
import { parties } from "../../secure-aggregation/plan/parties.js";
import { normBound } from "./norm-bound.js";
import { federatedNorm } from "../proof/instance.js";
import { hasRoom } from "../proof/norm-parameters.js";

/** The two aggregators add noise, and one may be dishonest. */
export const AGGREGATORS = /* @__PURE__ */ parties({ participants: 2, threshold: 2, colluding: 1 });

/** What a plan may say. */
export interface VerifiedOptions {
  /** Grid steps to K, in bits, 4 to 24; default the most, up to 16, that tasks and proofs allow. */
  readonly precision?: number | undefined;
}

/** The factory that a method's halves take as `noiseShares`. */
export function verifiedMechanisms(options: VerifiedOptions = {}): MechanismFactory {
  object("options", options);
  return (asked) => verifiedMechanism(asked, options);
}

/**
 * The mechanism of one statistic.
 * @throws OptionError for a statistic that is no sum over tasks, another noise than Gaussian, sampling, or
 *   a precision with which the norm cannot be proved.
 */
export function verifiedMechanism(
  asked: CreateMechanismOptions,
  options: VerifiedOptions = {},
): ShareMechanism {
  const { precision } = object("options", options);
  if (object("asked", asked).vectors) {
    throw new OptionError(
      "unit: a proof of a norm is of a task's whole vector, of which one record is a part; with verified sums expected the " +
        'unit "task", which holds for every record too',
    );
  }
  const mechanism = precision === undefined ? finest(asked) : withPrecision(asked, precision);
  if (!provable(mechanism)) {
    throw new OptionError(
      `precision: expected a norm bound that can be proved, got too many bits, ` +
        `${mechanism.grid.precision}; use a lower precision`,
    );
  }
  return {
    ...mechanism,
    why:
      "discrete Gaussian noise that each of two aggregators adds to its share of the sum, in full: the " +
      "budget holds as long as one of them is honest",
  };
}

/** A finer grid costs participants bytes, and is far below the noise. */
const FINEST = 16;
const COARSEST = 4;

function finest(asked: CreateMechanismOptions): ShareMechanism {
  // What the number of tasks allows, from which it goes down to what can be proved.
  const allowed = withPrecision(asked, undefined).grid.precision;
  for (let precision = Math.min(FINEST, allowed); ; precision--) {
    const mechanism = withPrecision(asked, precision);
    if (precision === COARSEST || provable(mechanism)) return mechanism;
  }
}

function withPrecision(
  asked: CreateMechanismOptions,
  precision: number | undefined,
): ShareMechanism {
  return shareMechanism(asked, { parties: AGGREGATORS, precision });
}

function provable({ grid }: ShareMechanism): boolean {
  return hasRoom(federatedNorm(grid.entries, normBound(grid)));
}
