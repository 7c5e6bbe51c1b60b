/**
 * Sums of vectors of proven norm over two aggregators, of which neither sees a vector: PINE (arXiv
 * 2311.10237), a verifiable distributed aggregation function in the manner of the IETF's VDAF and DAP.
 * @module
 */
export { verifyKeyBytes, type AggregatorOptions } from "./aggregators/aggregator.js";
export { Helper } from "./aggregators/helper.js";
export { runHelper, type RunHelperOptions } from "./run/drive-helper.js";
export {
  HelperMachine,
  type HelperEffect,
  type HelperEnd,
  type HelperMachineOptions,
  type HelperStatus,
} from "./run/helper-machine.js";
export { federatedPine } from "./proof/instance.js";
export { Leader, openSum, type ReportReception } from "./aggregators/leader.js";
export { verifiedMechanism, verifiedMechanisms, type VerifiedOptions } from "./plan/mechanism.js";
export { normBound } from "./plan/norm-bound.js";
export type { ReportRefusal } from "./aggregators/output-shares.js";
export type { Pine } from "./proof/pine.js";
export { makeReport, reportBytes, taskIntegers, type ReportOptions } from "./aggregators/report.js";
export { soundnessError } from "./proof/soundness.js";
export { termsOfSum, verifiedTerms, type VerifiedTerms } from "./plan/terms.js";
export type { Reported, VerifiedRoundResult } from "./aggregators/round.js";
export { simulateVerifiedSums, type SimulateVerifiedOptions } from "./run/simulate.js";
export { keyPair, pairOf, type KeyPair } from "../secure-aggregation/keys/keys.js";
export { randomBytesFrom, type RandomBytes } from "../secure-aggregation/keys/random-bytes.js";
export { sessionId, type SessionName } from "../secure-aggregation/keys/session.js";
