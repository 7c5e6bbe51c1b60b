/**
 * Options of the methods whose tasks may distrust the curator (Algorithm 5).
 * @module
 */
import { OptionError, type Core } from "../../core/index.js";
import type { RandomOptions } from "../../random/index.js";
import { RecordNoise } from "../round/record-noise.js";
import type { Participants } from "../round/participants.js";
import { aPositive, aWord } from "./kinds.js";
import { option, type OptionsOf } from "./option.js";

export const trustOptions = {
  /**
   * "trusted" (default): the curator sees the clipped models. "untrusted": every task first adds
   * noise that protects each of its records (Algorithm 5), and `model.recordGuarantee` says how well.
   */
  curator: option(aWord(["trusted", "untrusted"]), {
    group: "privacy",
    help: "untrusted: each task first adds noise that protects its records from the curator.",
    default: "trusted",
  }),
  /** eps of one record over all rounds against an untrusted curator; default 1. */
  recordEpsilon: option(aPositive, {
    group: "privacy",
    help: "With an untrusted curator: eps of one record over all rounds.",
    default: 1,
  }),
};

/** Whom the tasks trust. */
export interface TrustOptions extends OptionsOf<typeof trustOptions> {}

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
