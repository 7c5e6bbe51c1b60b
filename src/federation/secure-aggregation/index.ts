/**
 * Secure aggregation: the curator learns the noisy sum of a round and nothing about its parts.
 * @module
 */
export { AggregationCurator, type CuratorEffect } from "./curator.js";
export {
  addStatistic,
  lattice,
  quantize,
  unpackStatistic,
  type SummedStatistic,
} from "./fixed-point.js";
export { newIdentity, type KeyPair } from "./keys.js";
export { shareMechanism, shareMechanisms } from "./mechanism.js";
export { addNoiseShare, eventSteps, shareEvent, shareSteps } from "./noise.js";
export { aggregationGrid, modulusBits, type GridOptions } from "./numbers.js";
export { AggregationParticipant, type ParticipantEffect } from "./participant.js";
export { parties, type Parties } from "./parties.js";
export { randomBytesFrom } from "./random-bytes.js";
export type { ModulusBits } from "./residues.js";
export { ring } from "./ring.js";
export { ringSize } from "./ring-size.js";
export { sessionId } from "./session.js";
export { aggregationTerms, termsDigest, type RoundTerms } from "./terms.js";
export { noisyIntegers } from "./contribution.js";
export { collusionTable } from "./collusion.js";
export {
  createSetting,
  everyone,
  signedName,
  type Neighbourhood,
  type Setting,
} from "./setting.js";
