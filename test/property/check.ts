/**
 * One random configuration, checked: what every private fit promises, whatever its method and options.
 * @module
 */
import {
  BudgetExceededError,
  DeltaPaysError,
  epsilonOf,
  type PrivacyEvent,
} from "../../src/privacy/index.js";
import { DataError, OptionError } from "../../src/core/index.js";
import type { FittedModel } from "../../src/learning/index.js";
import type { Estimator } from "../../src/learning/round/estimator.js";
import { resolveDelta, type DeltaChoice } from "../../src/privacy/delta.js";
import type { PlannedStage } from "../../src/learning/round/release-plan.js";
import { recordBudget } from "../../src/privacy/group.js";
import { statedRecord } from "../../src/learning/release/record-account.js";
import { combinationOf } from "./combined.js";
import { composedEpsilon, composedMu, overspent, pureOf } from "./composition.js";
import { worldsOf, type Configuration, type Worlds } from "./configurations.js";
import type { NoiseTally } from "./noise-tally.js";
import { choiceFaults, modelsAlone, otherModels } from "./what-others-see.js";
import {
  allowance,
  changeOverSensitivity,
  statisticOf,
  withoutTask,
  type Moved,
} from "./sensitivity.js";
import { sameBits, watch, type Release, type Sabotage, type Watched } from "./watched-fit.js";

/** What was seen of one configuration. */
export interface Outcome {
  /** Why it was not checked: the library would not run it, or it took too long. */
  readonly refused?: string;
  readonly tooLong?: true;
  readonly releases: number;
  /** The largest change over sensitivity, by kind of event. */
  readonly ratios: Readonly<Record<string, number>>;
  /** The same by the ledger's label of a release, numbered where there are several: "covariance 2". */
  readonly labels: Readonly<Record<string, number>>;
}

/** What a configuration broke. */
export class BrokenPromise extends Error {
  override readonly name = "BrokenPromise";
}

/** How a check may be changed, for tests of the check itself. */
export interface CheckOptions {
  readonly sabotage?: Sabotage | undefined;
  /** Where noise is tallied, over all configurations of a run. */
  readonly noise?: NoiseTally | undefined;
  /** Milliseconds after which a configuration is given up; default none. */
  readonly limit?: number | undefined;
}

/**
 * How much more than was spent may be printed, relative: the searches for noise and delta end within 1e-8 and 1e-6, on the
 * safe side. More would be waste, not a broken promise.
 */
const CALIBRATION = 1e-5;

/** Errors by which the library refuses options, data or budgets before anything is released. */
function isRefusal(error: unknown): error is Error {
  return [OptionError, DataError, RangeError, BudgetExceededError, DeltaPaysError].some(
    (kind) => error instanceof kind,
  );
}

/**
 * Fits in one world, replays its releases in a neighbouring one, and checks both.
 * @throws BrokenPromise saying what did not hold.
 */
export async function checkConfiguration(
  configuration: Configuration,
  { sabotage, noise, limit }: CheckOptions = {},
): Promise<Outcome> {
  const worlds = worldsOf(configuration);
  const signal = limit === undefined ? undefined : AbortSignal.timeout(limit);
  const nothing = { releases: 0, ratios: {}, labels: {} };
  let estimator: Estimator;
  let present: Watched;
  let replay: Watched;
  const made: Release[] = [];
  try {
    estimator = worlds.method.make(worlds.options);
    present = await watch(estimator, worlds.present, { sabotage, signal, releases: made });
  } catch (error) {
    if (signal?.aborted) return { ...nothing, tooLong: true };
    if (!isRefusal(error)) throw error;
    demandEarly(worlds, made, error);
    return { ...nothing, refused: error.message };
  }
  const { options } = estimator as unknown as { options: Record<string, unknown> };
  demand([...present.faults]);
  demand(choiceFaults(worlds, options));
  if (!worlds.method.privacy) {
    demand(openFaults(present));
    if (worlds.method.name === "single-task") demand(await aloneFaults(worlds, estimator, present));
    return nothing;
  }
  demand(spendingFaults(worlds, options, present));
  const releases: Release[] = [];
  try {
    replay = await watch(estimator, worlds.neighbour, {
      before: present,
      sabotage,
      signal,
      releases,
    });
  } catch (error) {
    if (signal?.aborted) return { ...nothing, tooLong: true };
    if (!isRefusal(error)) throw error;
    demandEarly(worlds, releases, error);
    return { ...nothing, refused: error.message };
  }
  demand(replay.faults);
  // The papers' bound that is read off the data makes the noise depend on it, and the guarantee says that it does not hold.
  if (options["slopeBound"] === "data") demand(unsoundFaults(present.model));
  else demand(billboardFaults(worlds, present, replay));
  const ratios: Record<string, number> = {};
  const labels: Record<string, number> = {};
  demand(sensitivityFaults(worlds, options, present, replay, { ratios, labels }));
  noise?.add(present);
  return { releases: present.releases.length, ratios, labels };
}

/** Later than before the first release an end would tell of one task's data; what a caller's own functions make is theirs. */
function demandEarly({ method }: Worlds, { length }: readonly Release[], error: Error): void {
  if (length > 0 && method.name !== "mp-framework")
    demand([`refused after ${length} releases: ${error.message}`]);
}

function demand(faults: readonly string[]): void {
  if (faults.length > 0) throw new BrokenPromise(faults.join("; "));
}

/** Who shares nothing learns the same whatever others have, unless their rows are refused. */
async function aloneFaults(
  worlds: Worlds,
  estimator: Estimator,
  { model }: Watched,
): Promise<string[]> {
  try {
    return modelsAlone(worlds, model, (await watch(estimator, worlds.neighbour)).model);
  } catch (error) {
    if (isRefusal(error)) return [];
    throw error;
  }
}

/** A method without noise promises nothing. */
function openFaults({ model, ledger }: Watched): string[] {
  const silent = model.guarantee.kind === "none" && !ledger && !model.ledger;
  return silent ? [] : ["a method without noise states a guarantee"];
}

/** What is known not to hold must say so. */
function unsoundFaults({ guarantee }: FittedModel): string[] {
  const said = "sound" in guarantee && !guarantee.sound && !guarantee.private;
  return said ? [] : ["a guarantee that does not hold is stated as one"];
}

/** Same broadcasts, and what the other tasks get from them. */
function billboardFaults(worlds: Worlds, present: Watched, replay: Watched): string[] {
  const faults: string[] = [];
  if (replay.charged.length > 0) faults.push("a replay charged a ledger");
  if (replay.releases.length !== present.releases.length) faults.push("rounds depend on the data");
  present.releases.forEach((release, k) => {
    const other = replay.releases[k];
    if (other && !sameBits(release.broadcast, other.broadcast))
      faults.push(`broadcast ${k + 1} is no function of the releases`);
    const rowsByTask = release.m === worlds.present.m && worlds.unit === "task";
    if (other && rowsByTask && !othersEqual(worlds, release, other))
      faults.push(
        `what other tasks upload in release ${k + 1} depends on more than the broadcasts`,
      );
  });
  // A replay's ledger holds all charges from the start, so what was spent by a round is not what it was.
  const told = ({ reports }: Watched) =>
    JSON.stringify(reports.map((report) => ({ ...report, epsilon: 0 })));
  if (told(present) !== told(replay)) faults.push("what is told of rounds depends on the data");
  return [...faults, ...otherModels(worlds, present.model, replay.model)];
}

const othersEqual = ({ changed }: Worlds, { uploads, d }: Release, other: Release) =>
  sameBits(withoutTask(uploads, changed, d), withoutTask(other.uploads, changed, d));

/** Each release against what its event declares. */
function sensitivityFaults(
  { changed, unit, present: { m, d } }: Worlds,
  options: Record<string, unknown>,
  present: Watched,
  replay: Watched,
  { ratios, labels }: Record<"ratios" | "labels", Record<string, number>>,
): string[] {
  // The papers' bound that is read off the data has no sensitivity to check, and says so.
  if (options["slopeBound"] === "data") return [];
  const faults: string[] = [];
  const combination = combinationOf(options);
  const exactAt = (k: number) =>
    present.plan?.stages.find(({ first, rounds }) => k + 1 >= first && k + 1 < first + rounds);
  present.releases.forEach((release, k) => {
    const other = replay.releases[k]!;
    const event = forChanged(present, options, { changed, unit }, k);
    const stage = exactAt(k);
    if (stage) faults.push(...normFaults(release, stage.clip, k), ...normFaults(other, stage.clip, k)); // prettier-ignore
    const limit = 1 + allowance(stage?.mechanism.exact ?? false, { m, d: Math.max(d, release.d) });
    const combine = stage === present.plan?.stages[0] ? combination : undefined;
    const statisticAt = (uploads: Float64Array, world: Release) =>
      combine?.(uploads, world.m, world.d, k + 1) ?? statisticOf(world.statistic, uploads, world);
    for (const moved of moves(event, unit, changed, [release, other], statisticAt)) {
      const ratio = changeOverSensitivity(moved);
      if (ratio === undefined) continue;
      const kind = `${release.statistic}, ${event.kind}, ${event.adjacency}`;
      ratios[kind] = Math.max(ratios[kind] ?? 0, ratio);
      const label = labelOf(present, stage);
      if (label !== undefined) labels[label] = Math.max(labels[label] ?? 0, ratio);
      if (!(ratio <= limit))
        faults.push(`release ${k + 1} (${kind}) moved by ${ratio} of its sensitivity`);
    }
  });
  return faults;
}

/** What the ledger calls the releases of a stage, with a number where there are several. */
function labelOf({ plan }: Watched, stage: PlannedStage | undefined): string | undefined {
  if (stage?.label === undefined) return undefined;
  const alike = plan!.stages.filter(({ label }) => label === stage.label);
  return alike.length > 1 ? `${stage.label} ${alike.indexOf(stage) + 1}` : stage.label;
}

/** The charged event, at the sensitivity that is stated of the changed owner, or of a record where tasks are hidden with it. */
function forChanged(
  { charged, plan }: Watched,
  options: Record<string, unknown>,
  { changed, unit }: Pick<Worlds, "changed" | "unit">,
  k: number,
): PrivacyEvent {
  const { event } = charged[k]!;
  const own = plan?.owners?.[changed];
  const both = options["unit"] === "both" && unit === "record";
  const ofRecords = own?.recordOf ?? (plan?.recordOf && statedRecord(plan.recordOf));
  const stated = both ? ofRecords : own;
  return stated ? ({ ...event, sensitivity: stated.sensitivities![k]! } as PrivacyEvent) : event;
}

/** The pairs of worlds that a release must not tell apart. */
function moves(
  event: PrivacyEvent,
  unit: "task" | "record",
  changed: number,
  [release, other]: readonly [Release, Release],
  statisticAt: (uploads: Float64Array, world: Release) => Float64Array,
): Moved[] {
  const { statistic } = release;
  const between = (from: Float64Array, to: Float64Array): Moved => ({ event, statistic, from, to });
  if (unit === "record" || !("adjacency" in event) || event.adjacency === "replace")
    return [between(release.exact, other.exact)];
  return [release, other].map((world) =>
    between(world.exact, statisticAt(withoutTask(world.uploads, changed, world.d), world)),
  );
}

/** No upload is longer than the plan's bound, but for the rounding of clipping. */
function normFaults({ uploads, m, d }: Release, clip: number, k: number): string[] {
  for (let i = 0; i < m; i++) {
    const norm = Math.hypot(...uploads.subarray(i * d, (i + 1) * d));
    if (!(norm <= clip * (1 + (d + 4) * 2 ** -52)))
      return [`release ${k + 1} shows a vector of norm ${norm}, the bound is ${clip}`];
  }
  return [];
}

/** Ledger, budget and print. */
function spendingFaults(
  { present }: Worlds,
  options: Record<string, unknown>,
  { model, ledger, charged, releases, written }: Watched,
): string[] {
  const faults: string[] = [];
  const { guarantee } = model;
  if (guarantee.kind !== "joint" || !ledger || model.ledger !== ledger)
    return ["a private method states no guarantee, or not that of its ledger"];
  const { sound, gaussian, groupSize, nominal, spent } = guarantee;
  const events = charged.map(({ event }) => event);
  if (charged.length !== releases.length || written.size !== releases.length)
    faults.push(`${releases.length} releases, ${charged.length} charges, ${written.size} written`);
  const asked = {
    epsilon: options["epsilon"] as number,
    // A delta that is said by the number of those hidden: tasks, or records.
    delta: resolveDelta(
      options["delta"] as DeltaChoice,
      options["unit"] === "record" ? present.size : present.m,
    ),
  };
  // What is lifted from a record to its task is said of the record only where it holds.
  const record = groupSize === undefined ? undefined : recordBudget(asked, groupSize);
  const said = guarantee.record;
  if (record && sound && !(said?.epsilon === record.epsilon && said.delta === record.delta))
    faults.push("what protects a task is another budget of a record than is stated");
  // Where tasks release to their own models too, it is those and the shared releases together that cost what was asked.
  const { recordGuarantee, recordLedger } = model;
  const shared = recordGuarantee?.against === "own model" && recordLedger !== ledger;
  const printed = shared ? recordGuarantee : sound ? guarantee : (nominal ?? guarantee);
  if (shared && !(guarantee.epsilon <= asked.epsilon && guarantee.delta === asked.delta))
    faults.push("what all see is printed as more than the budget");
  for (const name of ["epsilon", "delta"] as const) {
    // What protects a record is lifted to its task, which rounds once more, downwards.
    const least = record ? asked[name] * (1 - 1e-9) : asked[name];
    const tiny = name === "delta" && record && asked.delta > 0 && printed.delta === 0;
    if (!(printed[name] <= asked[name] && (printed[name] >= least || tiny)))
      faults.push(`${name} was to be ${asked[name]}, printed is ${printed[name]}`);
  }
  const within = record ?? (shared ? guarantee : asked);
  if (ledger.epsilon !== within.epsilon || ledger.delta !== within.delta)
    faults.push("the ledger holds another budget than is printed");
  if (sound || record) {
    const over = overspent(events, within);
    if (over !== undefined) faults.push(over);
  }
  const own = ledger.spent();
  if (own.rounds !== releases.length || spent.rounds !== own.rounds)
    faults.push(`${releases.length} releases, printed are ${spent.rounds}`);
  if (!record && spent.epsilon !== own.epsilon) faults.push("printed is not what the ledger spent");
  const mu = composedMu(events);
  if (
    gaussian &&
    mu !== undefined &&
    !(gaussian.mu >= mu * (1 - 1e-12) && gaussian.mu <= mu * (1 + 1e-9))
  )
    // prettier-ignore
    faults.push(`the charged events are ${mu}-GDP, printed is ${gaussian.mu}`);
  // Printed may be more than was spent, as noise is calibrated upwards, and never less.
  if (sound) {
    const over = overspent(events, own);
    if (over !== undefined) faults.push(`printed as spent is too little: ${over}`);
    const pure = composedEpsilon(events);
    if (pure !== undefined && own.epsilon > pure * (1 + CALIBRATION) + 1e-300)
      faults.push(`the charged events are ${pure}-DP, printed as spent is ${own.epsilon}`);
  }
  return [...faults, ...recordFaults(options, model)];
}

/** Algorithm 5's ledger of every record, where the curator is not trusted; else that of records whose models may be given away. */
function recordFaults(options: Record<string, unknown>, model: FittedModel): string[] {
  const { recordLedger, recordGuarantee } = model;
  const untrusted = options["curator"] === "untrusted";
  if (!untrusted) return recordLedger ? heldByAll(options, model) : [];
  if (!recordLedger || !recordGuarantee) return ["an untrusted curator costs nothing"];
  const epsilon = options["recordEpsilon"] as number;
  const spent = recordLedger.entries.reduce((sum, { event }) => sum + (pureOf(event) ?? NaN), 0);
  const fits = spent <= epsilon * (1 + 1e-9) && recordGuarantee.epsilon === epsilon;
  return fits ? [] : [`records were to cost ${epsilon}, charged are ${spent}`];
}

/** What a record is promised against whoever is given its model, whose releases are charged to a ledger of records. */
function heldByAll(options: Record<string, unknown>, model: FittedModel): string[] {
  const { recordLedger, recordGuarantee: promise } = model;
  if (options["unit"] !== "record" || promise?.against !== "own model") {
    return ["a trusted curator has a ledger of records"];
  }
  const { entries } = recordLedger!;
  const cost = epsilonOf(
    entries.map(({ event }) => event),
    { delta: promise.delta },
  );
  return entries.length > 0 && cost <= promise.epsilon * (1 + 1e-9)
    ? []
    : [`records are promised ${promise.epsilon}, their releases cost ${cost}`];
}
