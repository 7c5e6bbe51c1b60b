/**
 * The release plan of a run: options and public sizes in; delta, stages, noise, events and the ledger's
 * budget out. A pure function: it opens no core, reads no data and draws nothing.
 *
 * **How a budget is divided.** One stage, the main one, has no share of the budget. The others take theirs
 * first: a share s of mu^2 if the noise is Gaussian, whose squares add up, or of eps if it is pure. The
 * main stage gets the largest budgets with which the whole, events of the others included, is found by
 * the accountant to stay within (epsilon, delta); so a plan never costs more than was asked, whatever
 * the shares are called.
 * @module
 */
import {
  allocateBudget,
  createMechanism,
  defaultMechanism,
  gaussianMu,
  preferExact,
  recordBudget,
  resolveDelta,
  type AccountantName,
  type LedgerUnit,
  type Mechanism,
  type MechanismFactory,
  type MechanismName,
  type PersonBound,
  type Sampling,
} from "../../privacy/index.js";
import { checkedEvent } from "../../privacy/events/checked-event.js";
import { scheduleWeights } from "../../privacy/schedule.js";
import type { NoiseForm } from "../options/noise-forms.js";
import type { ReleaseOptions } from "../options/private-options.js";
import type { Halves, PlanContext } from "../round/halves.js";
import { statistic as statisticOf } from "../round/statistic/statistic.js";
import type { PlannedStage, ReleasePlan } from "../round/release-plan.js";
import type { StageRequest } from "./stage-request.js";

/** What a plan is made from. */
export interface PlanRequest {
  /** The main stage's mechanism is the one they name; the others' are the defaults of the same currency. */
  readonly options: ReleaseOptions;
  /** Tasks of the run, or records where `unit` says so, which the default delta depends on. */
  readonly tasks: number;
  /** What the budget is of; default a task. */
  readonly unit?: "task" | "record";
  /** Where a record stands for a person who may have several: how many. */
  readonly person?: PersonBound;
  readonly stages: readonly StageRequest[];
  /** Mechanisms whose noise is added in noise shares, instead of those drawn by the curator. */
  readonly noiseShares?: MechanismFactory | undefined;
  /** Noise for one record: the most rows of a task, to which the guarantee will be lifted. */
  readonly groupSize?: number;
  /** Default "auto". */
  readonly accountant?: AccountantName | "auto";
}

/** A stage's noise. */
export type StageNoise = Pick<PlannedStage, "mechanism" | "budgets" | "events">;

/**
 * Plans all releases of a run.
 *
 * @throws RangeError if no noise meets the budget, a mechanism does not suit its statistic, or not
 *   exactly one stage is without a share of the budget; DeltaPaysError where delta alone pays for a sample of tasks.
 * @example
 * planReleases({ options, tasks: m, stages: [
 *   { statistic: "covariance", m, d, clip: 1, rounds: 2 },
 *   { statistic: "vector", m, d: 7, clip: 1, rounds: 1, budgetShare: 0.1, label: "choice" },
 * ] })
 */
export function planReleases(request: PlanRequest): ReleasePlan {
  const { options, stages, groupSize, accountant } = request;
  const { adjacency, noise } = options;
  const { epsilon, delta } = budgetOf(request);
  const main = mainStageOf(stages);
  const makeMain = maker(request, main, options.mechanism);
  const { budgetKind } = makeMain(false);
  const noises = stages.map((stage) =>
    stage === main ? undefined : stageNoise(request, stage, budgetKind),
  );
  const extra = noises.flatMap((of) => of?.events ?? []);
  const allocated = inForm(noise, (discrete) => {
    const mechanism = makeMain(discrete);
    const allocation = allocateBudget({
      rounds: main.rounds,
      epsilon,
      delta,
      mechanism,
      extra,
      schedule: main.schedule ?? { kind: "constant" },
      ...(accountant === undefined || accountant === "auto" ? {} : { accountant }),
    });
    return { mechanism, ...allocation };
  });
  const mainNoise: StageNoise = { ...allocated, events: allocated.events.slice(extra.length) };

  let first = 1;
  const planned = stages.map((stage, k): PlannedStage => {
    const { statistic, m, d, clip, rounds, label, shift = 0 } = stage;
    const { mechanism, budgets, events } = noises[k] ?? mainNoise;
    const of = { statistic, m, d, clip, rounds, label, shift, mechanism, budgets, events };
    const sampling = stage.sampling ?? { kind: "all" as const };
    const length = statisticOf(statistic).length(m, d);
    // What is spread comes last: Node 20 gives an object a shape of its own where fields follow it, and every participant has these.
    const at = { sampling, length, first, ...of };
    first += rounds;
    return at;
  });
  return {
    stages: planned,
    main: planned[stages.indexOf(main)]!,
    ledger: {
      epsilon,
      delta,
      adjacency,
      accountant: allocated.accountant,
      plan: planned.flatMap(({ events }) => events),
      nominal: allocated.nominal,
      noiseSource: options.random.mode,
      unit: ledgerUnitOf(request),
    },
    tasks: request.tasks,
    unit: request.unit ?? "task",
    ...(request.person ? { person: request.person } : {}),
    groupSize,
  };
}

/**
 * What a method releases that hides tasks, with what the options say of budget and noise: for the methods whose stages are all there is
 * to say.
 * @param stages from public sizes; one of them takes what is left of the budget.
 */
export function releasesOfStages(
  options: ReleaseOptions,
  stages: (context: PlanContext) => readonly StageRequest[],
): Halves["releases"] {
  return (context) => {
    const { sizes, noiseShares } = context;
    return planReleases({ options, tasks: sizes.m, stages: stages(context), noiseShares });
  };
}

/**
 * A stage in the form asked for. "auto" takes exact noise where the mechanism has such a form and the budget is within the
 * sampler's range; a mechanism that was given, or whose noise is added in noise shares, is neither and is made as it is.
 * @throws RangeError if "exact" is asked for and there is no such form or the budget is out of range.
 */
function inForm<Planned>(form: NoiseForm, plan: (discrete: boolean) => Planned): Planned {
  return form === "auto" ? preferExact(plan) : plan(form === "exact");
}

/** The budget that the ledger holds: of one task, or of one record where the noise protects that. */
function budgetOf({ options, tasks, groupSize }: PlanRequest) {
  const whole = { epsilon: options.epsilon, delta: resolveDelta(options.delta, tasks) };
  return groupSize === undefined ? whole : recordBudget(whole, groupSize);
}

/** What the events are of: a guarantee that is lifted to tasks is kept for one record. */
function ledgerUnitOf({ unit = "task", person, groupSize }: PlanRequest): LedgerUnit {
  if (unit === "task") return groupSize === undefined ? "task" : "record";
  return person ? "person" : "record";
}

/** The stage that gets what is left. */
function mainStageOf(stages: readonly StageRequest[]): StageRequest {
  const without = stages.filter(({ budgetShare }) => budgetShare === undefined);
  const taken = stages.reduce((sum, { budgetShare = 0 }) => sum + budgetShare, 0);
  if (without.length === 1 && taken < 1 && stages.every(({ budgetShare = 1 }) => budgetShare > 0)) {
    return without[0]!;
  }
  throw new RangeError(
    `stages: expected one that takes what is left and positive shares of the budget below 1 in sum, got ` +
      `${without.length} without a share and ${taken} taken`,
  );
}

/** Who is drawn, of those that the noise hides. */
function samplingOf({ rate = 1 }: NonNullable<StageRequest["perRecord"]>): Sampling | undefined {
  return rate < 1 ? { kind: "poisson", rate } : undefined;
}

/** Makes a stage's mechanism, exact or not, each once. */
function maker(request: PlanRequest, stage: StageRequest, name: MechanismName | "auto") {
  const made = new Map<boolean, Mechanism>();
  return (discrete: boolean): Mechanism => {
    const known = stage.mechanism ?? made.get(discrete);
    if (known) return known;
    const { statistic, d: dimension, perRecord, vectorsPerUnit } = stage;
    const { records: tasks, clip } = perRecord ?? { records: stage.m, clip: stage.clip };
    const sampling = perRecord ? samplingOf(perRecord) : stage.sampling;
    const { adjacency } = request.options;
    const { delta } = budgetOf(request);
    const mechanism = (request.noiseShares ?? createMechanism)({
      name,
      statistic,
      tasks,
      dimension,
      clip,
      adjacency,
      delta,
      ...(sampling ? { sampling } : {}),
      ...(discrete && !request.noiseShares ? { discrete } : {}),
      ...(vectorsPerUnit && request.noiseShares
        ? { vectors: { clip: stage.clip, perUnit: vectorsPerUnit } }
        : {}),
    });
    made.set(discrete, mechanism);
    return mechanism;
  };
}

/**
 * The noise of a stage that has a share of the budget, which does not depend on the other stages: for plans whose
 * stages depend on it.
 *
 * @param kind the main stage's currency, in which budgets compose tightly; default read off it.
 */
export function stageNoise(
  request: PlanRequest,
  stage: StageRequest,
  kind: Mechanism["budgetKind"] = currencyOf(request),
): StageNoise {
  const budget = budgetOf(request);
  const name = defaultMechanism(stage.statistic, kind === "mu" ? budget.delta : 0);
  const budgets = stageBudgets(stage, kind, budget);
  const make = maker(request, stage, name);
  return inForm(request.options.noise, (discrete) => {
    const mechanism = make(discrete);
    const events = Array.from(budgets, (b) => checkedEvent(mechanism.event(b)));
    return { mechanism, budgets, events };
  });
}

function currencyOf(request: PlanRequest): Mechanism["budgetKind"] {
  const main = mainStageOf(request.stages);
  return maker(request, main, request.options.mechanism)(false).budgetKind;
}

/** The budgets of a stage that takes a share of the whole budget. */
function stageBudgets(
  { budgetShare = 1, rounds, schedule = { kind: "constant" } }: StageRequest,
  kind: Mechanism["budgetKind"],
  whole: { readonly epsilon: number; readonly delta: number },
): Float64Array {
  const weights = scheduleWeights(schedule, rounds);
  const total = shareOfBudget(kind, budgetShare, whole);
  const norm =
    kind === "mu"
      ? Math.sqrt(weights.reduce((sum, w) => sum + w * w, 0))
      : weights.reduce((sum, w) => sum + w, 0);
  return weights.map((w) => total * (w / norm));
}

/**
 * A share of the whole budget: of eps for pure mechanisms, of mu^2 for Gaussian ones, whose squares
 * add up.
 */
export function shareOfBudget(
  kind: Mechanism["budgetKind"],
  share: number,
  { epsilon, delta }: { readonly epsilon: number; readonly delta: number },
): number {
  return kind === "mu" ? Math.sqrt(share) * gaussianMu(epsilon, delta) : share * epsilon;
}
