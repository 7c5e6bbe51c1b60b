/**
 * What runs and participants may be called: names become parts of subjects and of folders.
 * @module
 */

/** Letters, digits, - and _: no dots, blanks or wildcards of a subject. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
/** The same in words, for messages. */
export const NAME_FORM = "1 to 64 letters, digits, - or _";

/** Whether a name can be a participant's. */
export function isParticipantName(name: unknown): name is string {
  return typeof name === "string" && NAME.test(name);
}

/** Whether a name can be a run's: the same rule. */
export const isRunName = isParticipantName;
