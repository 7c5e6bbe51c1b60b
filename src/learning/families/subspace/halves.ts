/**
 * Private subspace learning on either side: participants upload, the curator broadcasts noisy sums.
 * @module
 */
import type { Core, Pointer } from "../../../core/index.js";
import { matrixNoiseOf } from "../../../privacy/mechanisms/catalogue.js";
import { curatorHalf } from "../../release/curator-half.js";
import { releasesOfStages } from "../../release/plan-releases.js";
import type {
  BatchModels,
  CuratorContext,
  CuratorHalf,
  Halves,
  ParticipantContext,
  ParticipantHalf,
} from "../../round/halves.js";
import type { Participants } from "../../round/participants.js";
import { noiseScaleAt, type PlannedStage } from "../../round/release-plan.js";
import { inTurns } from "../../round/run.js";
import type { SharingRule } from "../../round/sharing-rule.js";
import { SubspaceExchange, type ReleaseNoise } from "./exchange.js";
import { batchModels, COMPONENTS_BY_TASK } from "./model-components.js";
import type { SubspaceOptions } from "./options.js";
import { OwnRows } from "./own-rows.js";
import { subspaceStages, subspaceReleases, subspaceSizes, type SubspaceRelease } from "./plan.js";
import { solveTasks, taskLosses } from "./solve-tasks.js";
import { standingOut } from "./spectrum.js";

/** The halves of a configured method. */
export function subspaceHalves(options: SubspaceOptions): Halves {
  return {
    releases: releasesOfStages({ ...options, mechanism: "auto" }, ({ sizes }) =>
      subspaceStages(options, sizes),
    ),
    participants: (context) => subspaceParticipants(options, context),
    curator: (context) => subspaceCurator(options, context),
    // Every task's factor of its rows, and its own fit.
    work: ({ sizes: { m, d, rows } }) => 24 * d * d * (rows + m * d),
  };
}

const broadcastLength = ({ statistic, d }: PlannedStage) =>
  statistic === "covariance" ? d * d : d;

function noiseOf(stage: PlannedStage): ReleaseNoise {
  const deviation = noiseScaleAt(stage, 1);
  const matrix = stage.statistic === "covariance";
  return { deviation, edge: matrix ? matrixNoiseOf(stage.mechanism, deviation, stage.d).edge : 0 };
}

/** Broadcasts every release as it is: what it means is worked out by whoever receives it. */
function subspaceCurator(options: SubspaceOptions, context: CuratorContext): CuratorHalf {
  const { m, d, most } = subspaceSizes(options, context.sizes);
  let rank = 0;
  const rules = context.releases.stages.map((stage): SharingRule => {
    const length = broadcastLength(stage);
    return {
      statistic: stage.statistic,
      broadcastLength: () => length,
      prepare:
        ({ core }) =>
        (sum, message) => {
          const released = core.arena.view(sum, length);
          core.arena.view(message, length).set(released);
          if (stage.statistic === "covariance") {
            rank = standingOut(released.slice(), d, { edge: noiseOf(stage).edge, most, m }).k;
          }
          return { rank };
        },
    };
  });
  return curatorHalf(context, { options, rules });
}

function subspaceParticipants(
  options: SubspaceOptions,
  context: ParticipantContext,
): ParticipantHalf {
  const { core, data, sizes, releases } = context;
  const known = subspaceSizes(options, sizes);
  const rows = new OwnRows(data, options.intercept);
  const exchange = new SubspaceExchange(rows, known);
  const longest = releases.stages.reduce((most, { d }) => Math.max(most, d), 0);
  const at = core.arena.f64(data.m * longest);
  const kinds = subspaceReleases(options);
  const stages = releases.stages.map(
    (stage, k) => new ExchangeParticipants(core, exchange, { stage, release: kinds[k]!, at, m: data.m }), // prettier-ignore
  );
  let solved: BatchModels | undefined;
  const models = () => {
    if (!solved) throw new RangeError("models: expected the rounds to be over");
    return solved;
  };
  return {
    stages,
    rounds: stages.map(() => 1),
    broadcastLengths: releases.stages.map(broadcastLength),
    finish: async (signal) => {
      const own = await inTurns(
        solveTasks(rows, (i) => exchange.fit(i)),
        signal,
      );
      solved = batchModels(own, exchange.released, options.intercept);
    },
    models,
    byTask: COMPONENTS_BY_TASK,
    losses: () => taskLosses(data, models()),
    close: () => undefined,
  };
}

/** One release of the exchange, as a round has it. */
class ExchangeParticipants implements Participants {
  readonly m: number;
  readonly uploadLength: number;
  readonly #core: Core;
  readonly #exchange: SubspaceExchange;
  readonly #stage: PlannedStage;
  readonly #release: SubspaceRelease;
  readonly #at: Pointer;

  constructor(
    core: Core,
    exchange: SubspaceExchange,
    given: { stage: PlannedStage; release: SubspaceRelease; at: Pointer; m: number },
  ) {
    this.#core = core;
    this.#exchange = exchange;
    this.#stage = given.stage;
    this.#release = given.release;
    this.#at = given.at;
    this.m = given.m;
    this.uploadLength = given.stage.d;
  }

  upload(): Pointer {
    this.#exchange.upload(
      this.#release,
      this.#core.arena.view(this.#at, this.m * this.uploadLength),
    );
    return this.#at;
  }

  receive(message: Pointer): void {
    const sum = this.#core.arena.view(message, broadcastLength(this.#stage)).slice();
    this.#exchange.receive(this.#release, sum, noiseOf(this.#stage));
  }
}
