/**
 * What an audit found, as plain JSON.
 * @module
 */
import type {
  Adjacency,
  GuaranteeWords,
  LossEvidence,
  LossProof,
  PrivacyClaim,
  ReleaseCheck,
} from "../../privacy/index.js";
import type { RandomOptions } from "../../random/index.js";

/** Options that every audit has. */
export interface AuditTrialOptions {
  /** Trials in each of the two worlds, >= 8; default 20,000 for a mechanism, 400 for a fit. Half choose the attack, the others test it. */
  readonly trials?: number;
  /** Default 0.99: a claim that holds is called violated with probability at most 1 - confidence. */
  readonly confidence?: number;
  /** Default secure. Seeded audits are reproducible. */
  readonly random?: RandomOptions;
  /** Aborts the audit, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every trial. */
  readonly onTrial?: ((done: number, total: number) => void) | undefined;
}

/** The findings. Nothing in it is a data value, a weight or a seed. */
export interface AuditReport {
  /** Whether a mechanism by itself or a whole fit was attacked. */
  readonly target: "mechanism" | "fit";
  /** The method of a fit, else null. */
  readonly method: string | null;
  /** The noise law that was attacked. */
  readonly mechanism: string;
  /** How the two worlds differ; `neighbours` says it in a sentence. */
  readonly adjacency: Adjacency;
  /** Whose data the claim hides, in which the two worlds differ: one task's, a record's of it, or a person's. */
  readonly unit: GuaranteeWords["unit"];
  /** The two worlds of the claim, in a sentence. */
  readonly neighbours: string;
  /** What is claimed. */
  readonly claim: PrivacyClaim & {
    /** Whether the mechanism's proof gives it; else it is nominal. */
    readonly sound: boolean;
  };
  /** Rounds of every trial. */
  readonly rounds: number;
  /** Trials in each of the two worlds. */
  readonly trials: number;
  /** In (0, 1): a claim that holds is called violated with probability at most 1 - confidence. */
  readonly confidence: number;
  /**
   * "violated": a loss beyond the claim is proven at this confidence, or a check failed. "consistent":
   * no attack tried here found one, which proves nothing.
   */
  readonly verdict: "violated" | "consistent";
  /** eps proven at the claimed delta; delta proven at the claimed eps. */
  readonly proven: PrivacyClaim;
  /** The events that prove the most. */
  readonly evidence: {
    /** The one that proves the largest eps at the claimed delta. */
    readonly epsilon: LossEvidence;
    /** The one that proves the largest delta at the claimed eps. */
    readonly delta: LossEvidence;
  };
  /** How noise was drawn and charged, check by check. */
  readonly checks: readonly ReleaseCheck[];
  /** Where the noise of the trials came from. */
  readonly noiseSource: RandomOptions["mode"];
}

/** The parts of a report that are known before the trials. */
export type AuditSubject = Pick<
  AuditReport,
  | "target"
  | "method"
  | "mechanism"
  | "adjacency"
  | "unit"
  | "neighbours"
  | "claim"
  | "rounds"
  | "trials"
  | "noiseSource"
>;

/** The report. A check that failed is a violation whatever was proven. */
export function auditReport(
  subject: AuditSubject,
  { confidence, verdict, byEpsilon, byDelta }: LossProof,
  checks: readonly ReleaseCheck[],
): AuditReport {
  const failed = checks.some(({ passed }) => !passed);
  return {
    ...subject,
    confidence,
    verdict: failed ? "violated" : verdict,
    proven: { epsilon: byEpsilon.epsilon, delta: byDelta.delta },
    evidence: { epsilon: byEpsilon, delta: byDelta },
    checks,
  };
}
