/**
 * The private mixed model on either side: participants upload, the curator broadcasts noisy sums.
 * @module
 */
import { relativeWeights, type TaskSet } from "../../../data/index.js";
import type { Classes } from "../../fitted/model-state.js";
import { requireUnit } from "../../options/person-options.js";
import { publicEffects } from "../../options/public-prior.js";
import { curatorHalf } from "../../release/curator-half.js";
import { OwnRelease } from "../../release/own-release.js";
import { uploadFactors } from "../../release/owner-accounts.js";
import type {
  CuratorContext,
  CuratorHalf,
  Halves,
  ParticipantContext,
  ParticipantHalf,
  OwnFacts,
} from "../../round/halves.js";
import { noiseScaleAt, type PlannedStage } from "../../round/release-plan.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import { withConstantColumn } from "../../tasks/constant-column.js";
import { outputsOf } from "../../tasks/losses.js";
import { targetsOf } from "../../tasks/targets.js";
import { CentredExchange } from "./centred.js";
import type { MixedModels, MixedSizes } from "./exchange.js";
import { ExchangeParticipants } from "./exchange-participants.js";
import { differencesIn } from "./undeclared/differences.js";
import { deniedVotes } from "./undeclared/denied-votes.js";
import { LearnedScaleExchange } from "./undeclared/learned-scale.js";
import type { GivenRows } from "./undeclared/within-tasks.js";
import { rootedRows } from "./spectra/rooted-rows.js";
import { mixedLoss } from "./mixed-losses.js";
import { budgetOf, contrasts, mixedReleases, sizesOf } from "./mixed-releases.js";
import { mixedWork } from "./mixed-work.js";
import { batchModels, COMPONENTS_BY_TASK } from "./model-components.js";
import { requireScales, type MixedOptions } from "./options.js";
import { taskLosses } from "./task-losses.js";
import type { TaskRows } from "./spectra/task-spectrum.js";
import { declaredUnits, givenUnits, type Units } from "./units/units.js";
import { modelInUnits } from "./units/change-units.js";
import { weightedSizes } from "./weighted-sizes.js";

/** The halves of a configured mixed model. */
export function mixedHalves(options: MixedOptions): Halves {
  return {
    releases: (context) => mixedReleases(options, context),
    participants: (context) => mixedParticipants(options, context),
    curator: (context) => mixedCurator(options, context),
    // A person may have rows in several tasks.
    requireAll: (data) => requireUnit(data, options),
    requireOwn: (data, known) => requireOwn(data, known, options),
    work: (context) => mixedWork(options.loss, context),
  };
}

/** Positions of columns declared to be the same in all rows of a task. */
const perTaskIn = ({ encoding }: TaskSet) =>
  encoding.columns.flatMap((column, at) => (column.perTask ? [at] : []));

/** With what is declared of the columns, which releases do not depend on. */
const sizesWith = (sizes: MixedSizes, perTask: readonly number[]): MixedSizes =>
  perTask.length > 0 ? { ...sizes, perTask } : sizes;

/** Broadcasts the release as it is: what it means is worked out by whoever receives it. */
function broadcast({ statistic, d }: PlannedStage): SharingRule {
  return {
    statistic,
    broadcastLength: () => d,
    prepare:
      ({ core }) =>
      (sum, broadcast) => {
        core.arena.view(broadcast, d).set(core.arena.view(sum, d));
        return {};
      },
  };
}

function mixedCurator(options: MixedOptions, context: CuratorContext): CuratorHalf {
  return curatorHalf(context, { options, rules: context.releases.stages.map(broadcast) });
}

function requireOwn(data: TaskSet, known: OwnFacts, options: MixedOptions): void {
  requireScales(data, known, options);
  requireUnit(data, options);
  const { publicPrior, loss } = options;
  if (!publicPrior) return;
  const { classes } = targetsOf(data, loss, known.classes);
  publicEffects(publicPrior, data, several(options, classes));
}

/** The classes, where each has a public model of its own. */
const several = ({ loss }: MixedOptions, classes: Classes | null) =>
  loss === "softmax" ? classes : null;

/** Rows of a batch as they were given, with the constant in the last column. */
type BatchRows = GivenRows & { readonly d: number };

/** The exchange of a batch: votes where columns have no size, then that of the loss. */
function batchExchange(
  options: MixedOptions,
  { core, data, sizes, releases, positions }: ParticipantContext,
  { rows, classes, own }: { readonly rows: BatchRows; readonly classes: Classes | null; readonly own: OwnRelease | undefined }, // prettier-ignore
): LearnedScaleExchange {
  const { d } = rows;
  const { columns, scale, mu } = budgetOf(options, sizes);
  const { rangeSize, exchange: make } = mixedLoss(options);
  const perTask = perTaskIn(data);
  const known = options.scale === "unit" ? givenUnits(d) : declaredUnits(data.encoding, rangeSize);
  const outputs = outputsOf(options.loss, classes);
  const planned = sizesOf(sizes, outputs, contrasts(options, scale.within));
  const exchangeOf = (scaled: TaskRows, units: Units, center?: Float64Array) => {
    const within = units.untold !== undefined;
    const ofRun = sizesOf(sizes, outputs, contrasts(options, within));
    return make({
      center,
      core,
      encoding: data.encoding,
      own,
      unit: options.unit,
      units,
      mu,
      planned,
      weights: uploadFactors(releases, positions),
      of: weightedSizes(
        sizes,
        releases.owners?.map(({ weight }) => weight),
      ),
      // Contrasts carry the rows' weights.
      rows: contrasts(options, within) ? scaled : rootedRows(scaled, data),
      sizes: within ? ofRun : sizesWith(ofRun, perTask),
    });
  };
  const expected =
    options.publicPrior && publicEffects(options.publicPrior, data, several(options, classes));
  const untold = [...perTask, d - 1];
  return new LearnedScaleExchange(
    rows,
    { columns, plan: scale, known, rangeSize },
    (scaled, units) => {
      const center = expected ? modelInUnits(units, expected) : undefined;
      // Labels are not differences from anything: their exchange starts from the model, or models.
      return center && options.loss === "squared"
        ? new CentredExchange(scaled, center, (left) => exchangeOf(left, units))
        : exchangeOf(scaled, units, center);
    },
    { untold, differences: () => differencesIn(options.loss, rows, untold) },
  );
}

/** Models of a batch; where records are hidden own models may be given away, which rows as they are must not enter. */
function settled(
  { loss, unit }: MixedOptions,
  exchange: LearnedScaleExchange,
  data: TaskSet,
): MixedModels {
  const models = exchange.solve();
  const mayDeny = loss === "squared" && unit === "task";
  return mayDeny ? deniedVotes(models, exchange.units, data) : models;
}

function mixedParticipants(options: MixedOptions, context: ParticipantContext): ParticipantHalf {
  const { core, data, sizes, releases } = context;
  requireScales(data, sizes, options);
  requireUnit(data, options);
  const { x, offsets, d } = withConstantColumn(data);
  const { y, classes } = targetsOf(data, options.loss, context.classes);
  const rows = { x, y, offsets, names: data.names, d, m: data.m, weights: relativeWeights(data) };
  const own = releases.own
    ? new OwnRelease(core, releases.own, {
        random: options.random,
        positions: context.positions,
      })
    : undefined;
  const exchange = batchExchange(options, context, { rows, classes, own });
  const stages = releases.stages.map(
    (stage, release) =>
      new ExchangeParticipants(core, exchange, {
        release,
        m: data.m,
        length: stage.d,
        deviation: noiseScaleAt(stage, 1),
      }),
  );
  let solved: MixedModels | undefined;
  const models = () => (solved ??= settled(options, exchange, data));
  return {
    stages,
    rounds: stages.map(() => 1),
    broadcastLengths: releases.stages.map(({ d }) => d),
    common: () => exchange.common(stages.length),
    models: (shared) => batchModels(models(), exchange.units, data, shared),
    byTask: COMPONENTS_BY_TASK,
    ...(own ? { own } : {}),
    losses: () => taskLosses(options.loss, rows, models().models),
    close: () => undefined,
  };
}
