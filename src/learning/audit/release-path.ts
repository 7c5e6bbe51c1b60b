/**
 * Checks of the code that charges and draws: every release charged, charged first, never without
 * noise, never the same noise again.
 * @module
 */
import { closeCore, openCore, type Core } from "../../core/index.js";
import {
  checkChargedFirst,
  checkCharges,
  checkNoise,
  noiseSample,
  type NoiseSample,
  type ObservedRun,
  type ReleaseCheck,
  type ReleasePath,
} from "../../privacy/audit/release-checks.js";
import { noiseScaleOf } from "../../privacy/audit/attacks.js";
import { BudgetExceededError } from "../../privacy/index.js";
import type { RandomOptions } from "../../random/index.js";

/** Opens the private half of a curator, in a core, on its own noise. */
export type OpenReleasePath = (core: Core, random: RandomOptions) => ReleasePath;

/** Noise options of run `k`: a key of its own, whether secure or from the audit's seed. */
export function randomOfRun(random: RandomOptions, run: string): RandomOptions {
  return random.mode === "secure" ? random : { mode: "seeded", seed: `${random.seed} ${run}` };
}

/** Opens a path in a core of its own, works on it, and closes both whatever happens. */
function onPath<T>(
  open: OpenReleasePath,
  random: RandomOptions,
  work: (core: Core, path: ReleasePath) => T,
): T {
  const core = openCore();
  try {
    const path = open(core, random);
    try {
      return work(core, path);
    } finally {
      path.close?.();
    }
  } finally {
    closeCore(core);
  }
}

/**
 * Whether a first release that its ledger refuses draws no noise. A release beyond the plan cannot show it: a path may refuse that one
 * for its number, before it asks the ledger.
 */
function checkRefused(open: OpenReleasePath, length: number, random: RandomOptions): ReleaseCheck {
  return onPath(open, randomOfRun(random, "refused"), (core, path) => {
    const charge = () => {
      throw new BudgetExceededError(1, 1, 0, "releases");
    };
    Object.assign(path.ledger, { charge });
    return checkChargedFirst(core, path, { at: core.arena.zeros(length), length, round: 1 });
  });
}

/**
 * Runs all rounds twice on zero statistics and watches.
 *
 * @param options.length float64s of the statistic.
 * @param options.seen   noise drawn elsewhere, which must not come again.
 */
export function auditReleasePath(
  open: OpenReleasePath,
  options: {
    length: number;
    rounds: number;
    random: RandomOptions;
    seen?: readonly NoiseSample[];
  },
): ReleaseCheck[] {
  const { length, rounds, random, seen = [] } = options;
  const runs: ObservedRun[] = [];
  const samples: NoiseSample[] = [...seen];
  const exact = new Float64Array(length);
  let chargedFirst = checkRefused(open, length, random);
  for (const run of ["path 1", "path 2"]) {
    onPath(open, randomOfRun(random, run), (core, path) => {
      const at = core.arena.zeros(length);
      const released: number[] = [];
      for (let round = 1; round <= rounds; round++) {
        core.arena.view(at, length).fill(0);
        path.perturb(at, round);
        released.push(round);
        const event = path.ledger.entries.find((entry) => entry.round === round)?.event;
        const scale = event ? noiseScaleOf(event) : 1;
        samples.push(noiseSample(core.arena.view(at, length), exact, scale));
      }
      runs.push({ released, charged: path.ledger.entries.map(({ round }) => round) });
      // A charged round is never drawn again: the plan is used up.
      if (chargedFirst.passed)
        chargedFirst = checkChargedFirst(core, path, { at, length, round: 1 });
    });
  }
  return [checkCharges(runs), chargedFirst, ...checkNoise(samples)];
}
