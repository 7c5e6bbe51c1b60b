/**
 * The findings of an audit, for people.
 * @module
 */
import type { AuditReport } from "../../learning/index.js";
import { decimalBelow } from "../../privacy/accounting/rounding.js";
import { short, shortPromise } from "./short.js";

function subject({ target, method, mechanism, adjacency, rounds }: AuditReport): string {
  const what = target === "fit" ? `${method} with the ${mechanism} mechanism` : mechanism;
  return `${what}, ${rounds} ${rounds === 1 ? "round" : "rounds"}, ${adjacency} adjacency`;
}

function claimLine({ claim: { epsilon, delta, sound }, unit }: AuditReport): string {
  const figures = `eps ${shortPromise(epsilon)}, delta ${shortPromise(delta)} of one ${unit}`;
  return sound ? `claim: ${figures}` : `claim: ${figures} (nominal: the papers', not proven)`;
}

function evidenceLine(report: AuditReport, kind: "epsilon" | "delta"): string {
  const { claim, evidence, proven } = report;
  const { distinguisher, hits, falseAlarms, trials } = evidence[kind];
  const [symbol, at] =
    kind === "epsilon"
      ? ["eps", `delta ${shortPromise(claim.delta)}`]
      : ["delta", `eps ${shortPromise(claim.epsilon)}`];
  return (
    `proven: ${symbol} >= ${decimalBelow(proven[kind], 4)} at ${at}, by ${distinguisher} ` +
    `(${hits} hits, ${falseAlarms} false alarms in ${trials} trials each)`
  );
}

/** What `audit` prints without `--json`. */
export function describeAudit(report: AuditReport): string {
  const { verdict, confidence, trials, noiseSource, checks } = report;
  const sure = `at confidence ${short(confidence)}`;
  return [
    subject(report),
    claimLine(report),
    `the worlds of the claim: ${report.neighbours}`,
    evidenceLine(report, "epsilon"),
    evidenceLine(report, "delta"),
    ...checks.map(({ name, passed, detail }) => `${passed ? "ok" : "FAULT"}: ${name}: ${detail}`),
    verdict === "violated"
      ? `VIOLATED: more is lost than claimed, ${sure}`
      : `consistent: no loss beyond the claim was found, ${sure}; an audit cannot prove a claim`,
    `${trials} trials in each of two neighbouring worlds, ${noiseSource} noise`,
  ].join("\n");
}
