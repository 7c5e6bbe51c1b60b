/**
 * The fixed effects as their scores come in, with what is believed of the information that the rows have on them: as if all columns varied
 * within tasks. Where they do not, shorter steps keep out noise, and predict better (docs/RESULTS-MIXED.md). Post-processing of releases.
 * @module
 */
import type { Core } from "../../../../core/index.js";
import type { MixedSizes } from "../exchange.js";
import {
  afterScore,
  startEffects,
  type EffectsBelief,
  type EffectsScore,
} from "./effects-belief.js";
import { PredictedInformation } from "./predicted-information.js";

export class EffectsFilter {
  readonly information: PredictedInformation;
  /** What is believed of the effects; none before {@link start}. */
  located: EffectsBelief | undefined;

  constructor(core: Core, sizes: MixedSizes) {
    this.information = new PredictedInformation(core, sizes);
  }

  /** Begins with effects of such variances, [d]. */
  start(scales: Float64Array): void {
    this.located = startEffects(scales);
  }

  /** Takes a score, with what is believed of the information at P = `p` in its coordinates. */
  receive(score: EffectsScore, p: Float64Array, noise: number): void {
    this.located = afterScore(this.located!, score);
    this.information.learn(p, noise, score.information.matrix, score.toBasis);
  }
}
