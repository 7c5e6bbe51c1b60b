/**
 * A federated run of which two aggregators sum every round, in one process: a method's own halves, real
 * reports, a real leader and helper, and no network.
 * @module
 */
import { object } from "../../../core/checks.js";
import { openCore } from "../../../core/index.js";
import { OptionError } from "../../../core/errors.js";
import type { TaskSet } from "../../../data/index.js";
import { modelOf } from "../../../learning/fitted/build-model.js";
import { sumOfLosses } from "../../../learning/fitted/linear-models.js";
import type { FittedModel, HistoryEntry } from "../../../learning/index.js";
import { publicSizes } from "../../../learning/release/public-sizes.js";
import { statedUncharged } from "../../../learning/release/uncharged.js";
import { reportedRounds, type ReleasePlan } from "../../../learning/round/release-plan.js";
import { trustWords } from "../../../privacy/index.js";
import { outputsOf, type LossName } from "../../../learning/tasks/losses.js";
import type { RandomOptions } from "../../../random/index.js";
import { keyOf } from "../../../random/stream-numbers.js";
import { prepareData } from "../../participant/data/participant-data.js";
import { handedPlan } from "../../protocol/plan/handed-plan.js";
import { planHash } from "../../protocol/plan/plan-hash.js";
import { planEstimator } from "../../protocol/plan/planned-method.js";
import { unpackStatistic } from "../../secure-aggregation/integers/fixed-point.js";
import { randomBytesFrom } from "../../secure-aggregation/keys/random-bytes.js";
import { sessionId } from "../../secure-aggregation/keys/session.js";
import { verifiedMechanisms } from "../plan/mechanism.js";
import { runVerifiedRound, type Reported, type VerifiedRoundResult } from "../aggregators/round.js";
import { verifiedTerms } from "../plan/terms.js";
import type { Plan } from "../../protocol/plan/plan-form.js";

/** What is simulated. */
export interface SimulateVerifiedOptions {
  /** Without `aggregation`, whose noise is that of two aggregators here; every task is a participant of its own. */
  readonly plan: Plan;
  /** The tasks, one participant each. */
  readonly tasks: TaskSet;
  /** Grid steps to K, in bits; default the most, up to 16, that tasks and proofs allow. */
  readonly precision?: number;
  /** Default: what is so. */
  readonly reported?: Reported;
  /** Called after every round with who was refused and who is in the sum. */
  readonly onRound?: (round: Omit<VerifiedRoundResult, "sum"> & { readonly round: number }) => void;
}

/**
 * Runs the plan.
 *
 * With the same seed, grid and budget the models are those of a run on plain sums, up to the grid and the
 * noise. A task whose report is refused or missing counts as zero in that round.
 *
 * @throws OptionError for a plan that two aggregators cannot carry out.
 */
export async function simulateVerifiedSums(options: SimulateVerifiedOptions): Promise<FittedModel> {
  object("options", options);
  const { plan, precision, reported = (_task, _round, integers) => integers, onRound } = options;
  handedPlan(plan);
  const estimator = planEstimator(plan);
  const { halves, method } = estimator;
  const { data } = prepareData(options.tasks, plan);
  const sizes = publicSizes(data);
  const outputs = outputsOf(plan.options["loss"] as LossName, plan.classes);
  const noiseShares = verifiedMechanisms({ precision });
  const releases = halves.releases({ sizes, outputs, noiseShares });
  refuseOwn(plan, releases);
  const terms = verifiedTerms(releases);
  const core = openCore();
  const random = plan.options["random"] as RandomOptions;
  const bytes = randomBytesFrom(keyOf(random, " reports"));
  const curator = halves.curator({ core, sizes, outputs, releases });
  const positions = Array.from({ length: data.m }, (_, i) => i);
  const { classes } = plan;
  const { start } = curator;
  const context = { core, data, sizes, positions, classes, start, releases };
  const participants = halves.participants(context);
  const history: HistoryEntry[] = [];
  const rounds = reportedRounds(releases);
  let round = 0;
  for (const [k, stage] of curator.stages.entries()) {
    const tasks = participants.stages[k]!;
    for (let i = 1; i <= stage.rounds; i++) {
      round++;
      const at = tasks.upload(round);
      const { sum, ...told } = runVerifiedRound({
        round,
        core,
        reported,
        noise: random,
        random: bytes,
        names: data.names,
        terms: terms[round - 1]!,
        session: sessionId({ plan: planHash(plan), run: plan.run, round, attempt: 1 }),
        uploads: core.arena.view(at, data.m * stage.d).slice(),
      });
      onRound?.({ ...told, round });
      const { grid } = terms[round - 1]!;
      const whole = new Float64Array(stage.curator.statisticLength);
      unpackStatistic(grid.statistic, sum, grid.dimension, grid.step, whole);
      const figures = stage.curator.release(whole, round);
      if (stage.label === undefined) history.push(curator.entry({ round, rounds, ...figures }));
      tasks.receive(stage.curator.broadcast, round, i === stage.rounds);
    }
  }
  await participants.finish?.();
  const guarantee = curator.guarantee(statedUncharged(data, estimator.options, []));
  const { components = {}, ...models } = participants.models();
  const model = modelOf(data, classes, models, {
    method,
    history,
    rounds,
    components,
    options: estimator.options,
    guarantee: { ...guarantee, trust: trustWords({ kind: "two-aggregators" }) },
    ledger: curator.ledger,
    recordGuarantee: null,
    recordLedger: null,
    certificate: null,
    objective: sumOfLosses(participants.losses()),
  });
  participants.close();
  curator.close();
  return model;
}

function refuseOwn({ aggregation, options }: Plan, { own }: ReleasePlan): void {
  const problem = aggregation
    ? "aggregation: expected none; two aggregators take the place of sums of masked integers"
    : own
      ? 'options.ownModel: expected "exact" with two aggregators'
      : options["curator"] === "untrusted"
        ? "options.curator: expected trusted; two aggregators take the place of record noise"
        : undefined;
  if (problem !== undefined) throw new OptionError(problem);
}
