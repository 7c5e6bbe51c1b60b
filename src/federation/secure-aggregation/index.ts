/**
 * Secure aggregation: the curator learns the noisy sum of a round and nothing about its parts.
 * @module
 */
export { AggregationCurator, type CuratorEffect, type CuratorOptions } from "./curator.js";
export {
  addStatistic,
  lattice,
  quantize,
  unpackStatistic,
  type Lattice,
  type SummedStatistic,
} from "./fixed-point.js";
export { newIdentity, type KeyPair } from "./keys.js";
export { addNoiseShare, shareEvent, shareSteps } from "./noise.js";
export { aggregationNumbers, type AggregationNumbers, type NumberOptions } from "./numbers.js";
export {
  AggregationParticipant,
  type ParticipantEffect,
  type ParticipantOptions,
} from "./participant.js";
export { parties, type Parties, type PartyOptions } from "./parties.js";
export { randomBytesFrom, type RandomBytes } from "./random-bytes.js";
export type { ModulusBits } from "./residues.js";
export { sessionId, type SessionName } from "./session.js";
export { createSetting, everyone, type Neighbourhood, type Setting } from "./setting.js";
