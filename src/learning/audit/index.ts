/**
 * Attacks on mechanisms and fits, with what they prove.
 * @module
 */
import { OptionError } from "../../core/index.js";
import { auditFit, type FitAuditOptions } from "./fit-audit.js";
import { auditMechanism, type MechanismAuditOptions } from "./mechanism-audit.js";
import type { AuditReport } from "./report.js";

export { measureLeakage, type Leakage, type MeasureLeakageOptions } from "./leakage.js";
export type { AuditReport, AuditTrialOptions } from "./report.js";
export type { FitAuditOptions, MechanismAuditOptions };

/**
 * Attacks a mechanism (`mechanism: ...`) or a whole fit (`estimator: ..., tasks`) in two
 * neighbouring worlds and proves, at a stated confidence, how much privacy is lost.
 *
 * A violated claim is wrong. A consistent one is not proven: an audit bounds the loss from below, the
 * mechanisms' proofs and the accountants bound it from above.
 *
 * @throws OptionError or TypeError where neither is given or its arguments are wrong, and what the two throw.
 * @see `auditMechanism` and `auditFit` for what is attacked, and how.
 * @example const { verdict, proven } = await audit({ mechanism: "gaussian", epsilon: 1 });
 */
export async function audit(
  options: MechanismAuditOptions | FitAuditOptions,
): Promise<AuditReport> {
  const given = (options ?? {}) as Partial<MechanismAuditOptions & FitAuditOptions>;
  if (given.estimator === undefined && given.mechanism === undefined) {
    throw new OptionError("audit: expected a mechanism, or an estimator with tasks");
  }
  return "estimator" in options ? auditFit(options) : auditMechanism(options);
}
