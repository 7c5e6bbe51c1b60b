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
export {
  shareMechanism,
  shareMechanisms,
  type ShareMechanism,
  type ShareOptions,
} from "./mechanism.js";
export { addNoiseShare, eventSteps, shareEvent, shareSteps } from "./noise.js";
export { aggregationGrid, modulusBits, type GridOptions } from "./numbers.js";
export { type AggregationGrid } from "./aggregation-grid.js";
export {
  AggregationParticipant,
  type ParticipantEffect,
  type ParticipantOptions,
} from "./participant.js";
export { parties, type Parties, type PartyOptions } from "./parties.js";
export { randomBytesFrom, type RandomBytes } from "./random-bytes.js";
export type { ModulusBits } from "./residues.js";
export { neighbourhoodOf, ring } from "./ring.js";
export { ringSize, type RingNumbers, type RingSize } from "./ring-size.js";
export { sessionId, type SessionName } from "./session.js";
export { aggregationTerms, termsDigest, type RoundTerms } from "./terms.js";
export { noisyIntegers } from "./contribution.js";
export { collusionTable, type CollusionRow } from "./collusion.js";
export {
  createSetting,
  everyone,
  signedName,
  type Neighbourhood,
  type Setting,
} from "./setting.js";
