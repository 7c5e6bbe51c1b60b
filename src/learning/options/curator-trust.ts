/**
 * Options of the methods whose tasks may distrust the curator (Algorithm 5).
 * @module
 */
import { OptionError, type Core } from "../../core/index.js";
import type { RandomOptions } from "../../random/index.js";
import { RecordNoise } from "../round/record-noise.js";
import type { Participants } from "../round/participants.js";
import { aPositive, aWord, withDefault, type OptionRules } from "./check-options.js";

/** Whom the tasks trust. */
export interface TrustOptions {
  /**
   * "trusted" (default): the curator sees the clipped models. "untrusted": every task first adds
   * noise that protects each of its records (Algorithm 5), and `model.recordGuarantee` says how well.
   */
  readonly curator: "trusted" | "untrusted";
  /** eps of one record over all rounds against an untrusted curator; default 1. */
  readonly recordEpsilon: number;
}

export const trustRules: OptionRules<TrustOptions> = {
  curator: withDefault(aWord(["trusted", "untrusted"] as const), "trusted"),
  recordEpsilon: withDefault(aPositive, 1),
};

/** Puts record noise around the participants where the curator is not trusted. */
export function protectRecords(
  participants: Participants,
  core: Core,
  options: TrustOptions & {
    rounds: number;
    clip: number;
    random: RandomOptions;
    positions: readonly number[];
  },
): RecordNoise | undefined {
  if (options.curator === "trusted") return undefined;
  if (!Number.isFinite(options.clip)) {
    throw new OptionError("curator: an untrusted curator needs a finite clip");
  }
  return new RecordNoise(participants, {
    core,
    epsilon: options.recordEpsilon,
    clip: options.clip,
    rounds: options.rounds,
    random: options.random,
    positions: options.positions,
  });
}
