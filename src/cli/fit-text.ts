/**
 * The result of a fit, for people.
 * @module
 */
import type { Candidate, FittedModel, NoGuarantee, Scores } from "../learning/index.js";
import { decimalAbove } from "../privacy/accounting/rounding.js";
import type { Guarantee, GuaranteeWords } from "../privacy/index.js";
import type { fitDocument } from "./commands/fit.js";

/** A number with a few significant digits; a dash where it is not defined. */
export function short(value: number | null | undefined): string {
  return value === null || value === undefined ? "-" : String(Number(value.toPrecision(4)));
}

/** The same for an epsilon or a delta that is promised: never below it. */
export function shortPromise(value: number): string {
  return String(decimalAbove(value, 4));
}

/** Metrics in one line. */
function scoreLine({ nmse, nmsePerTask, auc, accuracy, logLoss, tasksLeftOut }: Scores): string {
  const parts =
    nmse === undefined
      ? [
          ...(auc === undefined ? [] : [`aAUC ${short(auc)}`]),
          `accuracy ${short(accuracy)}`,
          `log-loss ${short(logLoss)}`,
        ]
      : [`nMSE ${short(nmse)}`, `per task ${short(nmsePerTask)}`];
  if (tasksLeftOut > 0) parts.push(`(${tasksLeftOut} tasks left out of the mean)`);
  return parts.join(", ");
}

/** How many of a hundred, never below it. */
const percent = (x: number) => `${decimalAbove(100 * x, 2)} %`;

/** What is promised, or what is not. */
function claimOf(guarantee: Guarantee): string {
  const { epsilon, delta, sound, nominal, colluding, noiseSource, trueDelta } = guarantee;
  const others =
    colluding === undefined ? "all others" : `the curator with up to ${colluding} participants`;
  if (!sound) {
    const instead = trueDelta === undefined ? "" : `: true delta is ${shortPromise(trueDelta)}`;
    return `NOT the nominal eps ${short(nominal?.epsilon)}${instead}`;
  }
  const claim = `joint (${shortPromise(epsilon)}, ${shortPromise(delta)})-DP of each task against ${others}`;
  return noiseSource === "secure" ? claim : `NOT PRIVATE: with secure noise this would be ${claim}`;
}

/** mu, and how far it can be taken for the whole. */
function gaussianLine({ gaussian, epsilon }: Guarantee): string[] {
  if (!gaussian) return [];
  const { mu, fit } = gaussian;
  const how =
    fit === "exact"
      ? "which is the whole of it"
      : gaussian.epsilon === null
        ? "an upper bound"
        : `an upper bound, which alone gives epsilon ${shortPromise(gaussian.epsilon)} instead of ${shortPromise(epsilon)}`;
  return [`as Gaussian DP: mu ${shortPromise(mu)}, ${how}`];
}

/** The guarantee in plain words, one statement a line. What an older file does not say is left out. */
export function guaranteeLines(guarantee: Guarantee | NoGuarantee): string[] {
  if (guarantee.kind === "none") return [`no privacy guarantee: ${guarantee.why}`];
  const { adjacency, mechanism, accountant, collusion = [], attacker } = guarantee;
  const words: Partial<GuaranteeWords> = guarantee;
  const said = (what: string, text: string | undefined) =>
    text === undefined ? [] : [`${what}: ${text}`];
  return [
    claimOf(guarantee),
    ...said(`unit: one ${words.unit}; ${adjacency} adjacency`, words.neighbours),
    ...gaussianLine(guarantee),
    ...(attacker
      ? [
          `an attacker who knows all but one task tells the two apart with at most ` +
            `${percent(attacker.truePositiveRate)} true positives at ${percent(attacker.falsePositiveRate)} false ones`,
        ]
      : []),
    `${mechanism} mechanism, ${accountant} accounting: ${guarantee.why}`,
    ...collusion.map(
      (row) =>
        `with ${row.colluding} colluding, ${row.honest} honest shares of noise: epsilon ${shortPromise(row.epsilon)}`,
    ),
    `noise source: ${guarantee.noiseSource}`,
    ...said("trust", words.trust),
    ...said("scope", words.scope),
    ...said("not covered", words.notCovered?.join("; ")),
    ...(guarantee.note ? [guarantee.note] : []),
    ...(guarantee.notCharged.length > 0
      ? [`not charged, for the curator only: ${guarantee.notCharged.join(", ")}`]
      : []),
  ];
}

/**
 * What `fit` prints without `--json`.
 * @param said remarks that were made before the fit.
 */
export function describeFit(
  document: ReturnType<typeof fitDocument> & {
    readonly chosen?: Candidate;
    readonly notes?: readonly string[];
  },
  { out, said }: { readonly out: string | undefined; readonly said: readonly string[] },
): string {
  const { method, tasks, features, samples, rounds, certificate } = document;
  const test = "test" in document ? document.test : undefined;
  const lines = [
    ...(document.notes ?? []).map((note) => `data: ${note}`),
    ...("choice" in document ? [`auto takes ${method}: ${document.choice.why}`] : []),
    `${method}: ${tasks} tasks, ${features} features, ${samples} rows, ${rounds} rounds` +
      (document.seconds === undefined ? "" : `, ${short(document.seconds)} s`),
    `objective ${short(document.objective)}, rank ${document.rank}, ` +
      `${document.nonzeroRows} nonzero rows`,
    ...("chosen" in document ? [`chosen: ${JSON.stringify(document.chosen)}`] : []),
    ...(certificate ? [certificateLine(certificate)] : []),
    `train: ${scoreLine(document.train)}`,
    ...(test ? [`test:  ${scoreLine(test)}`] : []),
    ...document.remarks.filter((one) => !said.includes(one)).map((one) => `remark: ${one}`),
    ...guaranteeLines(document.guarantee),
    ...(out === undefined ? [] : [`model written to ${out}`]),
  ];
  return lines.join("\n");
}

function certificateLine({ kind, value, met, tolerance }: NonNullable<FittedModel["certificate"]>) {
  const bound = `within ${short(value)} of the optimum, relative (${kind})`;
  return met ? bound : `NOT CONVERGED: ${bound}; asked for ${short(tolerance)}`;
}
