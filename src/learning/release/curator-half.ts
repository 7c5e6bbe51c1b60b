/**
 * The curator's half of a method, from its release plan and its sharing rules.
 * @module
 */
import type { HistoryEntry } from "../fitted/model-state.js";
import { OptionError } from "../../core/index.js";
import { openStream, type RandomOptions, type RandomStream } from "../../random/index.js";
import { streamNumber } from "../../random/stream-numbers.js";
import { Curator } from "../round/curator.js";
import type { CuratorContext, CuratorHalf, CuratorStage } from "../round/halves.js";
import { Participation } from "../round/participation.js";
import { noiseScaleAt, type PlannedStage, type ReleasePlan } from "../round/release-plan.js";
import type { LearnedClip } from "../round/learned-clip/learned-clip.js";
import type { RoundReport } from "../round/run.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { unitOf } from "../round/learned-clip/unit-rule.js";
import { aboveNoiseOf } from "./above-noise.js";
import { statedBy, type StatedOptions } from "./plan-statement.js";
import { PrivateReleases } from "./private-releases.js";

/** Epsilon of the releases so far; it takes an accountant's work. */
type Spent = () => number;

/** What a method adds to its plan. */
export interface CuratorParts {
  /** Where noise and samples come from, and whom the tasks trust. */
  readonly options: { readonly random: RandomOptions } & StatedOptions;
  /** f of every stage, in the plan's order. */
  readonly rules: readonly SharingRule[];
  /** Public parameters every task starts from; default none. */
  readonly start?: Float64Array | null;
  /** K, where it is learned and uploads are in units of it: then every line of the history has it, and noise in units of models. */
  readonly clip?: Pick<LearnedClip, "value"> | null;
  /**
   * A line of the history for a round of a stage without a label, from figures that the budget covers;
   * default round, rank, noise scale and how far above noise.
   */
  readonly entry?: (report: RoundReport, noiseScale: number, spent: Spent) => HistoryEntry;
}

/**
 * Opens ledger and noise, and a curator for every stage.
 * @throws BudgetExceededError before any release if the plan does not fit its budget; OptionError for sums that cannot be in any order.
 */
export function curatorHalf(context: CuratorContext, parts: CuratorParts): CuratorHalf {
  const { core, sizes, releases: plan, journal, observe, sums } = context;
  const { options, rules, start = null, clip = null, entry = rankEntry } = parts;
  const { random } = options;
  if (rules.length !== plan.stages.length) {
    throw new RangeError(`rules: expected one of each of ${plan.stages.length} stages`);
  }
  if (sums === "any-order") requireTaskUnit(plan, options);
  const releases = new PrivateReleases(plan, { core, random, journal });
  let samples: RandomStream | undefined;
  const close = () => {
    releases.close();
    samples?.close();
  };
  try {
    const stages = plan.stages.map((stage, k): CuratorStage => {
      const { rounds, first, m, d, clip, mechanism, sampling, label } = stage;
      const rule = rules[k]!;
      const privacy = releases.stages[k]!;
      const curator = new Curator({
        core,
        m,
        d,
        rule,
        privacy,
        observe,
        first,
        anyOrder: sums === "any-order" ? clip : undefined,
      });
      const common = { rounds, d, clip, mechanism, curator, label };
      if (sampling.kind === "all") return common;
      // One stream of samples, whatever the stages: no two rounds have the same draw.
      samples ??= openStream(core, random, streamNumber.samples);
      const draws = new Participation(samples, sampling, sizes.m, rounds);
      return { ...common, sample: (kept) => draws.next(kept) };
    });
    return {
      stages,
      ledger: releases.ledger,
      start,
      entry: (report) => {
        const [stage, round] = roundOf(plan.stages, report.round);
        const unit = clip ? unitOf(stage.statistic, clip.value) : 1;
        const spent = () => releases.ledger.spent().epsilon;
        const line = entry(report, unit * noiseScaleAt(stage, round), spent);
        return clip ? { ...line, clip: clip.value } : line;
      },
      guarantee: (notCharged) => releases.guarantee(notCharged, statedBy(options)),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * The error that noise for one record allows a sum is counted in records, and that of sums in any order in tasks.
 * @throws OptionError unless the noise hides tasks.
 */
function requireTaskUnit(plan: ReleasePlan, options: object): void {
  const { unit = "task" } = options as { readonly unit?: string };
  if (unit === "task" && plan.unit === "task" && plan.groupSize === undefined) return;
  throw new OptionError('sums: expected "in-order" where the noise hides single records');
}

function rankEntry(report: RoundReport, noiseScale: number): HistoryEntry {
  const { round, rank = 0 } = report;
  return { round, rank, noiseScale, ...aboveNoiseOf(report) };
}

/** The stage of a release, and its round there. */
function roundOf(stages: readonly PlannedStage[], release: number): [PlannedStage, number] {
  const stage = stages.find(({ first, rounds }) => release < first + rounds)!;
  return [stage, release - stage.first + 1];
}
