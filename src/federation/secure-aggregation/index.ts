/**
 * Secure aggregation: the curator learns the noisy sum of a round and nothing about its parts.
 * @module
 */
export { AggregationCurator, type CuratorEffect } from "./attempt/curator.js";
export {
  addStatistic,
  lattice,
  quantize,
  unpackStatistic,
  type SummedStatistic,
} from "./integers/fixed-point.js";
export { newIdentity, type KeyPair } from "./keys/keys.js";
export { shareMechanism, shareMechanisms } from "./plan/mechanism.js";
export { addNoiseShare, eventSteps, shareEvent, shareSteps } from "./integers/noise.js";
export { aggregationGrid, modulusBits, type GridOptions } from "./integers/numbers.js";
export { AggregationParticipant, type ParticipantEffect } from "./attempt/participant.js";
export { parties, type Parties } from "./plan/parties.js";
export { randomBytesFrom } from "./keys/random-bytes.js";
export type { ModulusBits } from "./integers/residues.js";
export { ring } from "./attempt/ring.js";
export { ringSize } from "./plan/ring-size.js";
export { sessionId } from "./keys/session.js";
export { aggregationTerms, termsDigest, type RoundTerms } from "./plan/terms.js";
export { noisyIntegers } from "./run/contribution.js";
export { collusionTable } from "./plan/collusion.js";
export {
  createSetting,
  everyone,
  signedName,
  type Neighbourhood,
  type Setting,
} from "./attempt/setting.js";
