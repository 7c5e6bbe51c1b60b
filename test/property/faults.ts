/**
 * Faults planted in a private method: what the checks of random configurations must find.
 * @module
 */
import type { Mechanism, PrivacyEvent } from "../../src/privacy/index.js";
import type { CuratorStage, Halves, ParticipantHalf } from "../../src/learning/round/halves.js";
import type { RoundView } from "../../src/learning/round/observer.js";
import type { PlannedStage, ReleasePlan } from "../../src/learning/round/release-plan.js";
import type { Sabotage } from "./watched-fit.js";

/** The same plan with another stage for each. */
function withStages(plan: ReleasePlan, change: (stage: PlannedStage) => PlannedStage): ReleasePlan {
  const stages = plan.stages.map(change);
  return {
    ...plan,
    stages,
    main: stages[plan.stages.indexOf(plan.main)]!,
    ledger: { ...plan.ledger, plan: stages.flatMap(({ events }) => events) },
  };
}

const planned =
  (change: (stage: PlannedStage) => PlannedStage): Sabotage =>
  (halves) => ({ ...halves, releases: (context) => withStages(halves.releases(context), change) });

const noisy =
  (perturb: (mechanism: Mechanism) => Mechanism["perturb"]): Sabotage =>
  (halves, world) =>
    planned((stage) => ({
      ...stage,
      mechanism: { ...stage.mechanism, perturb: perturb(stage.mechanism) },
    }))(halves, world);

/** Noise and sensitivity by one factor: the price stays what it was. */
function scaled(event: PrivacyEvent, factor: number): PrivacyEvent {
  const fields = event as unknown as Record<string, unknown>;
  const scale = (name: string) =>
    name in fields ? { [name]: (fields[name] as number) * factor } : {};
  return { ...event, ...scale("sensitivity"), ...scale("sigma"), ...scale("grid"), ...scale("scale") }; // prettier-ignore
}

/** What the curator's half shows at a stage of a round is changed where it lies. */
const shown =
  (at: RoundView["stage"], change: (values: Float64Array, view: RoundView) => void): Sabotage =>
  (halves) => ({
    ...halves,
    curator: (context) =>
      halves.curator({
        ...context,
        observe: (view) => {
          if (at !== "exact" && view.stage === at) change(view.values, view);
          context.observe?.(view);
          if (at === "exact" && view.stage === at) change(view.values, view);
        },
      }),
  });

const participants =
  (change: (half: ParticipantHalf, data: Float64Array) => ParticipantHalf): Sabotage =>
  (halves) => ({
    ...halves,
    participants: (context) => change(halves.participants(context), context.data.x),
  });

/** By name: what is broken, and words of the complaint that must come. */
export const FAULTS: Record<string, { sabotage: Sabotage; complaint: RegExp }> = {
  "noise before the charge": {
    sabotage: shown("exact", (values) => (values[0]! += 1)),
    complaint: /changed before it was charged/,
  },
  "a sensitivity a hundredth too small": {
    sabotage: planned((stage) => ({
      ...stage,
      events: stage.events.map((event) => scaled(event, 0.99)),
    })),
    complaint: /moved by .* of its sensitivity/,
  },
  "less noise than is charged": {
    sabotage: noisy((mechanism) => (core, random, at, budget, work) => {
      mechanism.perturb(core, random, at, 4 * budget, work);
    }),
    complaint: /standard deviations off/,
  },
  "more budget than was asked for": {
    sabotage: (halves) => ({
      ...halves,
      releases: (context) => {
        const plan = halves.releases(context);
        return { ...plan, ledger: { ...plan.ledger, epsilon: 2 * plan.ledger.epsilon } };
      },
    }),
    complaint: /epsilon was to be/,
  },
  "a smaller epsilon in print": {
    sabotage: (halves) => ({
      ...halves,
      curator: (context) => {
        const half = halves.curator(context);
        const guarantee: typeof half.guarantee = (notCharged) => {
          const stated = half.guarantee(notCharged);
          return { ...stated, epsilon: stated.epsilon / 2 };
        };
        return { ...half, guarantee };
      },
    }),
    complaint: /epsilon was to be/,
  },
  "a broadcast that is more than the release": {
    sabotage: (halves) => {
      let uploads = 0;
      return shown("broadcast", (values) => (values[0]! += 1e-9 * uploads))(
        shown("uploads", (values) => (uploads = values.reduce((a, b) => a + b, 0)))(halves, "present"), // prettier-ignore
        "present",
      );
    },
    complaint: /no function of the releases|models of other tasks/,
  },
  "a model that saw another task's row": {
    sabotage: participants((half, x) => ({
      ...half,
      models: () => {
        const models = half.models();
        const peek = x.reduce((sum, value) => sum + value, 0);
        return { ...models, weights: models.weights.map((w) => w + 1e-6 * peek) };
      },
    })),
    complaint: /models of other tasks depend/,
  },
  "vectors longer than the clip": {
    sabotage: shown("uploads", (values) => values.forEach((value, k) => (values[k] = 1.5 * value))),
    complaint: /shows a vector of norm|moved by/,
  },
  "a release that is not charged": {
    sabotage: (halves: Halves) => ({
      ...halves,
      curator: (context) => {
        const half = halves.curator(context);
        const stages = half.stages.map((stage): CuratorStage => ({ ...stage }));
        const { observe } = context;
        const extra = (view: Omit<RoundView, "stage">) => {
          for (const stage of ["uploads", "exact", "released", "broadcast"] as const)
            observe?.({ ...view, stage });
        };
        const values = Float64Array.of(1);
        extra({ round: 1, statistic: "vector", m: 1, d: 1, values });
        return { ...half, stages };
      },
    }),
    complaint: /releases, \d+ charges|belongs to release/,
  },
};
