/**
 * A fit with everything written down: what was uploaded, released and sent, and what the memory held at every charge.
 * @module
 */
import type { TaskSet } from "../../src/data/index.js";
import type { FittedModel } from "../../src/learning/index.js";
import type { Estimator } from "../../src/learning/round/estimator.js";
import type { Halves } from "../../src/learning/round/halves.js";
import type { RoundStage, RoundView } from "../../src/learning/round/observer.js";
import type { ReleaseJournal } from "../../src/learning/round/release-journal.js";
import type { ReleasePlan } from "../../src/learning/round/release-plan.js";
import { Ledger, type LedgerEntry, type LedgerOptions } from "../../src/privacy/index.js";

/** One release, as the curator saw it. */
export interface Release extends Record<RoundStage, Float64Array> {
  readonly statistic: RoundView["statistic"];
  /** Tasks, and float64s each uploads. */
  readonly m: number;
  readonly d: number;
}

/** One fit. */
export interface Watched {
  readonly model: FittedModel;
  readonly releases: readonly Release[];
  /** Noisy statistics as the journal kept them. */
  readonly written: ReadonlyMap<number, Float64Array>;
  /** The journal's ledger; undefined where the method opens none. */
  readonly ledger: Ledger | undefined;
  /** Charges of this fit, in order. */
  readonly charged: readonly LedgerEntry[];
  /** What the plan says; undefined for methods that do not run apart. */
  readonly plan: ReleasePlan | undefined;
  /** What was told of every round. */
  readonly reports: readonly object[];
  /** What was wrong at the moment of a charge or of a release. */
  readonly faults: readonly string[];
}

/** Breaks a part of a fit, so that the checks can be seen to find it. */
export type Sabotage = (halves: Halves, world: "present" | "replay") => Halves;

const EMPTY = new Float64Array(0);

/** Fits while watching; with `before` it is given the releases of that fit instead of drawing its own. */
export async function watch(
  estimator: Estimator,
  data: TaskSet,
  {
    before,
    sabotage = (halves) => halves,
    signal,
    releases = [],
  }: {
    before?: Watched;
    sabotage?: Sabotage | undefined;
    signal?: AbortSignal | undefined;
    /** Where releases are put, for a fit that may end with an error. */
    releases?: Release[];
  } = {},
): Promise<Watched> {
  const written = new Map<number, Float64Array>();
  const charged: LedgerEntry[] = [];
  const faults: string[] = [];
  let ledger: Ledger | undefined;
  let plan: ReleasePlan | undefined;
  let current: Partial<Release> = {};
  /** The statistic where the curator holds it, and as it was without noise. */
  let held: { at: Float64Array; exact: Float64Array } | undefined;

  class Watcher extends Ledger {
    protected override record(entry: LedgerEntry): void {
      charged.push(entry);
      if (!held) faults.push(`charge ${charged.length} came before a statistic was there`);
      else if (held.at.length !== held.exact.length || !sameBits(held.at, held.exact))
        faults.push(`release ${charged.length} was changed before it was charged`);
      else if (charged.length !== releases.length + 1)
        faults.push(`charge ${charged.length} belongs to release ${releases.length + 1}`);
    }
  }
  const journal: ReleaseJournal = {
    openLedger: (options: LedgerOptions) => (ledger = before?.ledger ?? new Watcher(options)),
    read: (release) => before?.written.get(release)?.slice(),
    write: (release, statistic) => {
      if (charged.length !== release) faults.push(`release ${release} was drawn without a charge`);
      written.set(release, statistic.slice());
    },
  };
  const observe = (view: RoundView): void => {
    const values = view.values.slice();
    if (view.stage === "uploads") current = { uploads: values };
    else current[view.stage as "exact"] = values;
    if (view.stage === "exact") held = { at: view.values, exact: values };
    if (view.stage !== "broadcast") return;
    const { statistic, m, d } = view;
    const { uploads = EMPTY, exact = EMPTY, released = EMPTY } = current;
    releases.push({ statistic, m, d, uploads, exact, released, broadcast: values });
    held = undefined;
  };
  const world = before ? "replay" : "present";
  const watched = withJournal(estimator, journal, {
    planned: (made) => (plan = made),
    sabotage: (halves) => sabotage(halves, world),
  });
  const reports: object[] = [];
  const onRound = (report: object) => reports.push(report);
  const hooks = { observe, onRound, signal, ...("halves" in estimator ? {} : { journal }) };
  const model = await watched.fit(data, hooks);
  return { model, releases, written, ledger, charged, plan, reports, faults };
}

/**
 * The estimator with a journal on its curator's half, below the check that refuses one where tasks draw noise of their
 * own: here they are meant to share again.
 */
function withJournal(
  estimator: Estimator,
  journal: ReleaseJournal,
  {
    planned,
    sabotage,
  }: { planned: (plan: ReleasePlan) => void; sabotage: (halves: Halves) => Halves },
): Estimator {
  if (!("halves" in estimator)) return estimator;
  const halves = sabotage(estimator.halves as Halves);
  const watched: Halves = {
    ...halves,
    releases: (context) => {
      const plan = halves.releases(context);
      planned(plan);
      return plan;
    },
    curator: (context) => halves.curator({ ...context, journal }),
  };
  return Object.create(estimator, { halves: { value: watched } }) as Estimator;
}

/** Whether two arrays hold the same bits; -0 is not 0. */
export function sameBits(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, k) => Object.is(value, b[k]));
}
