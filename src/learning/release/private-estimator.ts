/**
 * The private methods as estimators, and their local fit: both halves in one core, the rounds, and the model that says
 * what was promised.
 * @module
 */
import { closeCore, openCore } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { Guarantee } from "../../privacy/index.js";
import type { HistoryEntry } from "../fitted/model-state.js";
import type { FittedModel } from "../fitted/fitted-model.js";
import { asPrivate, type PrivateModel } from "../fitted/private-model.js";
import { sumOfLosses } from "../fitted/linear-models.js";
import { outputsOf } from "../tasks/losses.js";
import { targetsOf } from "../tasks/targets.js";
import type { CuratorHalf, Halves, ParticipantHalf } from "../round/halves.js";
import { reportedRounds, type ReleasePlan } from "../round/release-plan.js";
import { runRounds, type RoundReport } from "../round/run.js";
import { inOnePlace } from "../../privacy/guarantee/guarantee-words.js";
import type { TrustOptions } from "../options/curator-trust.js";
import { batchesOf } from "../round/batches.js";
import { spreadTasks } from "../parallel/spread-tasks.js";
import { checkedThreads } from "../parallel/threads.js";
import { modelOf } from "../fitted/build-model.js";
import type { CommonOptions } from "../tasks/common-options.js";
import type { Estimator, FitOptions } from "../round/estimator.js";
import { ConfiguredEstimator } from "../options/configured-estimator.js";
import type { DividedMethod } from "../options/method.js";
import { heldByHolders } from "./held-by-holders.js";
import { publicSizes, sizesOfRun, type OwnBudgetOptions } from "./public-sizes.js";
import { refuseResuming } from "./refuse-resuming.js";
import { refuseWarmStart } from "./refuse-warm-start.js";
import { statedUncharged } from "./uncharged.js";

/** What every private method can be asked. */
type LossOptions = Pick<CommonOptions, "loss" | "lossScale">;

/** An estimator whose two halves can run apart. */
export interface DividedEstimator extends Estimator {
  /** @throws DataError naming the method if it cannot use rows with weights, or sparse ones, and these are such. */
  rowsFor(data: TaskSet): TaskSet;
  readonly options: LossOptions & Partial<TrustOptions> & OwnBudgetOptions;
  readonly halves: Halves;
}

/** A private estimator whose two halves can run apart. */
export abstract class PrivateEstimator<
  O extends LossOptions & Partial<TrustOptions> & OwnBudgetOptions,
>
  extends ConfiguredEstimator<O>
  implements DividedEstimator
{
  /** It states a guarantee, whatever its descriptor says of privacy: no task's numbers may end its fits. */
  protected override readonly isPrivate = true;
  /** What the owners of tasks run, and what the curator runs. */
  readonly halves: Halves;

  /** @throws OptionError naming every bad option, or those that no theorem covers together. */
  constructor(method: DividedMethod<O>, options: Partial<O> | undefined) {
    super(method, options);
    this.halves = method.halves(this.options);
  }

  /**
   * Fits all tasks in private rounds.
   * @throws DataError if the data does not suit the options, such as a row longer than `featureBound`;
   *   BudgetExceededError or RangeError before any release if the budget allows no noise.
   */
  async fit(given: TaskSet, hooks: FitOptions = {}): Promise<PrivateModel> {
    const data = this.rowsToFit(given, hooks);
    const { method, options, halves } = this;
    refuseWarmStart(method, hooks);
    const { journal, observe, workers, signal, notCharged = [], sums } = hooks;
    const anyOrder = sums === "any-order";
    const sizes = sizesOfRun(data, options, journal);
    const { classes } = targetsOf(data, options.loss);
    const outputs = outputsOf(options.loss, classes);
    const releases = halves.releases({ sizes, outputs });
    if (journal) refuseResuming(options, releases);
    const core = openCore();
    // Blocks that are never added would not be rounded as they are where they are.
    const onOneMachine = !anyOrder;
    const curator = halves.curator({
      core,
      sizes,
      outputs,
      releases,
      journal,
      observe,
      onOneMachine,
      sums,
    });
    let model: FittedModel;
    try {
      const positions = Array.from({ length: data.m }, (_, i) => i);
      const context = {
        core,
        data,
        sizes,
        positions,
        classes,
        onOneMachine,
        start: curator.start,
      };
      const batches = batchesOf(halves, () => releases);
      const owner = { method, options, batches, releases: true, stages: releases.stages };
      const { half, threads } = await spreadTasks(owner, context, {
        threads: checkedThreads(hooks.threads),
        workers,
        outputs,
        signal,
        isObserved: observe !== undefined || anyOrder,
      });
      const tasks = half ?? halves.participants({ ...context, releases });
      try {
        const ran = await runStages(curator, tasks, releases, hooks);
        const guarantee = inOnePlace(curator.guarantee(statedUncharged(data, options, notCharged)));
        const { components = {}, ...models } = tasks.models();
        model = modelOf(data, classes, models, {
          method,
          options: this.recorded(),
          ...promisesOf(guarantee, curator, tasks),
          owners: releases.owners ?? null,
          certificate: null,
          ...ran,
          objective: sumOfLosses(tasks.losses()),
          components,
          threads,
        });
      } finally {
        tasks.close();
      }
    } finally {
      curator.close();
    }
    // Of a fit that failed something may still be at work.
    closeCore(core);
    return asPrivate(model);
  }

  /** The options as the model shows them. */
  protected recorded(): LossOptions {
    return this.options;
  }
}

/** The stages of both halves, one after the other: how many rounds the method has, and what of each is public. */
async function runStages(
  curator: CuratorHalf,
  tasks: ParticipantHalf,
  releases: ReleasePlan,
  { signal, onRound }: Pick<FitOptions, "signal" | "onRound">,
) {
  const history: HistoryEntry[] = [];
  // The method's own rounds are reported; a choice among models is not one of them.
  const rounds = reportedRounds(releases);
  // Releases are numbered through; of the method's own ones, others may stand between.
  const report = (round: RoundReport) => {
    history.push(curator.entry(round));
    onRound?.({ ...round, round: history.length, rounds });
  };
  let done = 0;
  for (const [k, stage] of curator.stages.entries()) {
    done += await runRounds({
      ...stage,
      participants: tasks.stages[k]!,
      first: done + 1,
      signal,
      ...(stage.label === undefined ? { onRound: report } : {}),
    });
  }
  await tasks.finish?.(signal);
  return { rounds, history };
}

/** What is promised, of tasks and of single records, with the ledgers that hold it. */
function promisesOf(guarantee: Guarantee, { ledger }: CuratorHalf, tasks: ParticipantHalf) {
  const records = tasks.records ?? tasks.own;
  const ofRecords = records?.guarantee(guarantee);
  const held = tasks.modelsAreReleased ? heldByHolders(guarantee) : null;
  return {
    guarantee,
    ledger,
    recordGuarantee: ofRecords?.against === "curator" ? inOnePlace(ofRecords) : (ofRecords ?? held),
    recordLedger: records?.ledger ?? (held && ledger),
  };
}

/** What a fit of these tasks would release: from options and public sizes, without running it. */
export function releasesOf(
  { options, halves }: Pick<DividedEstimator, "options" | "halves">,
  data: TaskSet,
): ReleasePlan {
  const outputs = outputsOf(options.loss, targetsOf(data, options.loss).classes);
  return halves.releases({ sizes: publicSizes(data, options), outputs });
}
