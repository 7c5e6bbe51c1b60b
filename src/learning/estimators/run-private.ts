/**
 * What the private methods of Algorithm 1 have in common: the rounds, and the model that says what
 * was promised.
 * @module
 */
import { OptionError } from "../../core/index.js";
import type { TaskSet } from "../../data/index.js";
import type { RandomOptions } from "../../random/index.js";
import type { FittedModel, FittedModelState, HistoryEntry } from "../fitted-model.js";
import { Curator } from "../round/curator.js";
import type { Participants } from "../round/participants.js";
import { runRounds } from "../round/run.js";
import type { SharingRule } from "../round/sharing-rule.js";
import { protectRecords, type TrustOptions } from "./curator-trust.js";
import { fittedModel, type CommonOptions, type FitOptions, type Placed } from "./estimator.js";
import type { PrivateRounds } from "./private-rounds.js";

/** Pooled figures of a private fit that nobody but the curator should see. */
export const POOLED_FIGURES = ["objective", "rank", "nonzeroRows", "weightsNorm", "train", "test"];

/** A batch of tasks whose models lie in the core. */
export interface ModelHolders extends Participants {
  /** [m, d] and [m] (or 0) in the core's memory. */
  readonly weights: number;
  readonly intercepts: number;
}

/** A private fit, ready to run. */
export interface PrivateRun {
  readonly method: string;
  readonly options: CommonOptions & TrustOptions & { random: RandomOptions };
  readonly data: TaskSet;
  readonly placed: Placed;
  readonly participants: ModelHolders;
  readonly rule: SharingRule;
  readonly privacy: PrivateRounds;
  readonly rounds: number;
  /** K, the bound on what is shared. */
  readonly clip: number;
  readonly hooks: FitOptions;
  /** Receives every message, in this core's memory, after the tasks did. */
  readonly onMessage?: (message: number, length: number) => void;
  /** Runs after the last round and before the models are read, with the last message. */
  readonly finish?: (message: number) => void;
  /** What the method learned beside the weights. */
  readonly components?: () => FittedModelState["components"] & object;
}

/** Runs all rounds and makes the model, with its guarantees and ledgers. */
export async function runPrivate(run: PrivateRun): Promise<FittedModel> {
  const { method, options, data, placed, participants, rule, privacy, hooks, clip } = run;
  const { signal, onRound, observe, notCharged = [] } = hooks;
  const { tasks } = placed;
  const { core } = tasks;
  const { m, d } = participants;
  if (options.curator === "untrusted" && hooks.journal) {
    throw new OptionError(
      "journal: a resumed fit would share again what an untrusted curator saw; start afresh",
    );
  }
  const records = protectRecords(participants, core, { ...options, clip, rounds: run.rounds });
  try {
    const curator = new Curator({ core, m, d, rule, privacy, observe });
    const history: HistoryEntry[] = [];
    const rounds = await runRounds({
      participants: records ?? participants,
      curator,
      rounds: run.rounds,
      signal,
      onRound: (report) => {
        const { round, rank = 0 } = report;
        history.push({ round, rank, noiseScale: privacy.noiseScale(round) });
        run.onMessage?.(curator.message, curator.messageLength);
        onRound?.(report);
      },
    });
    run.finish?.(curator.message);
    const losses = core.arena.f64(tasks.m);
    tasks.losses(participants.weights, participants.intercepts, losses);
    const objective = core.arena.view(losses, tasks.m).reduce((sum, loss) => sum + loss, 0);
    const guarantee = privacy.guarantee([...POOLED_FIGURES, ...notCharged]);
    return fittedModel(data, placed, participants, {
      method,
      options,
      guarantee,
      ledger: privacy.ledger,
      recordGuarantee: records?.guarantee(guarantee) ?? null,
      recordLedger: records?.ledger ?? null,
      certificate: null,
      rounds,
      history,
      objective,
      ...(run.components ? { components: run.components() } : {}),
    });
  } finally {
    records?.close();
    privacy.close();
  }
}
