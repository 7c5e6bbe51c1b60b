/**
 * Whether what a file states of its privacy is borne out by the releases in it.
 * @module
 */
import { isObject } from "../../core/is-object.js";
import { shortPromise } from "../words/short.js";

/** What came of holding a statement to its releases. */
export interface Held {
  /** What the releases do not bear out; undefined where nothing is. */
  readonly problem?: string | undefined;
  /** What could be compared with nothing, in words. */
  readonly unchecked: readonly string[];
}

/** Holds what a file states to the releases in it, as reading a model does. */
export type Hold = (read: Readonly<Record<string, unknown>>) => Held | Promise<Held>;

/** What a file promises, what is wrong with it, and what was compared with nothing. */
export interface FileStatement extends Held {
  readonly file: string;
  readonly epsilon: unknown;
  readonly delta: unknown;
}

/** What a file with a ledger states; undefined where it states nothing, as a list of events. */
export async function statementOf(
  file: string,
  read: unknown,
  hold: Hold,
): Promise<FileStatement | undefined> {
  if (!isObject(read)) return undefined;
  const said = read as Readonly<Record<string, unknown>>;
  const { guarantee, recordGuarantee, ledger } = said;
  const stated = [guarantee, recordGuarantee].find(isObject);
  if (!stated || !ledger) return undefined;
  const { kind, epsilon, delta } = stated as Readonly<Record<string, unknown>>;
  const held = await hold(said);
  if (kind === "none" && held.problem === undefined) return undefined;
  return { file, epsilon, delta, ...held };
}

/** The comparison, in a line. */
export function statementLine({ file, epsilon, delta, problem, unchecked }: FileStatement): string {
  const figure = (value: unknown) => (typeof value === "number" ? shortPromise(value) : "?");
  const stated = `${file} states (${figure(epsilon)}, ${figure(delta)})-DP`;
  if (problem !== undefined) return `NOT BORNE OUT: ${stated}: ${problem}`;
  if (unchecked.length > 0) {
    return `NOT ALL CHECKED: ${stated}; nothing was found wrong, but nothing in it says whether this holds: ${unchecked.join("; ")}`;
  }
  return `${stated}, and the releases in it bear that out; its sentences, as who is trusted, and names were compared with nothing`;
}
