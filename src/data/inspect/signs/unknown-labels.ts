/**
 * Labels of a target that say that it is not known, and would be fitted as a class of their own.
 * @module
 */

/** Words for it, and signs, as questionnaires and records of several languages have them. */
const UNKNOWN =
  /^(?:unk(?:n|nown)?|not (?:known|available|recorded|reported|stated|applicable)|unspecified|missing|no (?:answer|data|information)|don'?t know|n\.?k\.?|k\.? ?a\.?|keine angaben?|unbekannt|inconnue?|desconocid[oa]|sconosciut[oa]|onbekend|desconhecid[oa])$/iu;
const SIGNS = /^[-–—*]+$/u;

/** Those among labels, as they are written. A minus beside a plus is an answer. */
export function unknownLabels(labels: readonly string[]): string[] {
  const signed = labels.some((label) => label.includes("+"));
  return labels.filter((label) => UNKNOWN.test(label) || (SIGNS.test(label) && !signed));
}
