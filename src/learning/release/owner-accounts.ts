/**
 * Owners with budgets of their own under the noise of one run: by how much each one's uploads are scaled down, and what that
 * costs its records.
 *
 * The noise is that of the run's epsilon, the largest; `src/privacy/own-budget.ts` has statement and proof. A factor is the
 * largest, to a part in ten thousand, at which the run's accountant finds the owner's releases within its epsilon.
 * @module
 */
import { epsilonOf, gaussianMu, type OwnBudget, type OwnPromise } from "../../privacy/index.js";
import type { PrivacyEvent } from "../../privacy/index.js";
import { sensitivitiesOf } from "../../privacy/own-budget.js";
import type { PlannedStage, ReleasePlan } from "../round/release-plan.js";
import { epsilonThatFits } from "./epsilon-that-fits.js";
import { eventOfRecord, type RecordBound } from "./record-account.js";

/** Whose budgets they are. */
export interface Owners {
  /** Epsilon of the owner at each position; at most the plan's. */
  readonly epsilons: readonly number[];
  /** What one record, or a person's, moves; absent where the plan's unit is a task and nothing was said of records. */
  readonly record: RecordBound;
}

/** Steps by which a factor goes down: grids are rounded to whatever it is. */
const LEAST_STEP = 2 ** -22;
const MOST_STEPS = 20;

/** An owner's epsilon that noise on the run's grid cannot give; no smaller one can be given either. */
export class SmallEpsilonError extends RangeError {
  readonly epsilon: number;

  constructor(epsilon: number, most: number) {
    super(
      `epsilon: an owner's ${epsilon} is too small beside the run's ${most}, whose noise is on a coarser grid; expected a ` +
        "larger one, or a smaller epsilon for the run",
    );
    this.epsilon = epsilon;
  }
}

/** The plan with every owner's account. @throws SmallEpsilonError for an epsilon that noise on this grid cannot give. */
export function withOwners(plan: ReleasePlan, { epsilons, record }: Owners): ReleasePlan {
  const known = new Map<number, OwnBudget>();
  const owners = epsilons.map((epsilon) => {
    const found = known.get(epsilon) ?? budgetFor(plan, epsilon, record);
    known.set(epsilon, found);
    return found;
  });
  return { ...plan, owners };
}

/** Factors of the uploads of the tasks at these positions; undefined where no owner has a budget of its own. */
export const uploadFactors = ({ owners }: ReleasePlan, positions: readonly number[]) =>
  owners && positions.map((at) => owners[at]!.weight);

interface Release {
  readonly event: PrivacyEvent;
  readonly stage: PlannedStage;
}

const releasesOf = (stages: readonly PlannedStage[]): Release[] =>
  stages.flatMap((stage) => stage.events.map((event) => ({ event, stage })));

/** Of one unit of an owner whose uploads are multiplied by `weight`. */
function scaled(
  releases: readonly Release[],
  weight: number,
  { unit }: Pick<ReleasePlan, "unit">,
  record: RecordBound,
): PrivacyEvent[] {
  if (weight === 1) return releases.map(({ event }) => event);
  return releases.map(({ event, stage }) =>
    unit === "record"
      ? eventOfRecord(event, stage, { ...record, weight })
      : eventOfRecord(event, stage, { records: stage.m, clip: stage.clip, weight }),
  );
}

/** The cost of the releases that others see, and of those and the owner's own. */
function budgetFor(plan: ReleasePlan, epsilon: number, record: RecordBound): OwnBudget {
  const { stages, own, ledger } = plan;
  const { delta, accountant } = ledger;
  const shared = releasesOf(stages);
  const all = own ? [...shared, ...releasesOf([own.stage])] : shared;
  const most = (own ?? plan).ledger.epsilon;
  const at = (weight: number, releases: readonly Release[]) =>
    scaled(releases, weight, plan, record);
  const cost = (events: readonly PrivacyEvent[]) => epsilonOf(events, { delta, accountant });
  let weight = epsilon >= most ? 1 : gaussianMu(epsilon, delta) / gaussianMu(most, delta);
  for (let step = 0; weight < 1 && !(cost(at(weight, all)) <= epsilon); step++) {
    if (step === MOST_STEPS) throw new SmallEpsilonError(epsilon, most);
    weight *= 1 - LEAST_STEP * 2 ** step;
  }
  const events = at(weight, all);
  const promise = (of: readonly PrivacyEvent[], figure: number): OwnPromise => ({
    epsilon: figure,
    delta,
    sensitivities: sensitivitiesOf(of),
  });
  const ofShared = events.slice(0, shared.length);
  // Its ledger accounts for the same events again.
  const told = own ? epsilonThatFits(ofShared, { ...ledger, epsilon }) : epsilon;
  return {
    weight,
    ...promise(ofShared, told),
    ...(own ? { ownModel: promise(events, epsilon) } : {}),
    ...(plan.recordOf ? { recordOf: recordOf(shared, weight, plan, record) } : {}),
  };
}

/** What a record has where tasks are hidden. */
function recordOf(
  releases: readonly Release[],
  weight: number,
  plan: ReleasePlan,
  record: RecordBound,
): NonNullable<OwnBudget["recordOf"]> {
  const { delta } = plan.ledger;
  const ofTask = scaled(releases, weight, plan, record);
  const events = releases.map(({ stage }, k) =>
    eventOfRecord(ofTask[k]!, stage, { ...record, weight }),
  );
  return { epsilon: epsilonOf(events, { delta }), delta, sensitivities: sensitivitiesOf(events) };
}
