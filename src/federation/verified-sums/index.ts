/**
 * Sums of vectors of proven norm over two aggregators, of which neither sees a vector: PINE (arXiv
 * 2311.10237), a verifiable distributed aggregation function in the manner of the IETF's VDAF and DAP.
 * @module
 */
export { verifyKeyBytes, type AggregatorOptions } from "./aggregator.js";
export { Helper } from "./helper.js";
export { runHelper, type RunHelperOptions } from "./drive-helper.js";
export {
  HelperMachine,
  type HelperEffect,
  type HelperEnd,
  type HelperMachineOptions,
  type HelperStatus,
} from "./helper-machine.js";
export { federatedPine } from "./instance.js";
export { Leader, openSum, type ReportReception } from "./leader.js";
export { verifiedMechanism, verifiedMechanisms, type VerifiedOptions } from "./mechanism.js";
export { normBound } from "./norm-bound.js";
export type { ReportRefusal } from "./output-shares.js";
export type { Pine } from "./pine.js";
export { makeReport, reportBytes, taskIntegers, type ReportOptions } from "./report.js";
export { soundnessError } from "./soundness.js";
export { termsOfSum, verifiedTerms, type VerifiedTerms } from "./terms.js";
export type { Reported, VerifiedRoundResult } from "./round.js";
export { simulateVerifiedSums, type SimulateVerifiedOptions } from "./simulate.js";
export { keyPair, pairOf, type KeyPair } from "../secure-aggregation/keys/keys.js";
export { randomBytesFrom, type RandomBytes } from "../secure-aggregation/keys/random-bytes.js";
export { sessionId, type SessionName } from "../secure-aggregation/keys/session.js";
