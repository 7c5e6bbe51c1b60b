/**
 * What releases cost, as the document of `account` and for people, with what every other accountant would say.
 * @module
 */
import {
  epsilonOf,
  type AccountantName,
  type Mechanism,
  type PrivacyEvent,
} from "../../privacy/index.js";
import { decimalAbove } from "../../privacy/accounting/rounding.js";
import { isOfRealNumbersOnly } from "../../privacy/mechanisms/mechanism.js";
import type { Result } from "../options/command.js";
import { EXIT } from "../terminal/exit-code.js";
import { unitWords, type ReadEvents } from "./events.js";
import { ACCOUNTANTS, type AccountValues } from "./options.js";
import { statementLine } from "./statement.js";

/** Releases and what they cost. */
export interface Figures {
  events: PrivacyEvent[];
  epsilon: number;
  delta: number;
  accountant: AccountantName;
  /** More members of the document. */
  more?: Record<string, unknown>;
}

/** Epsilon at this delta by every accountant that covers the events. */
function comparison(
  events: PrivacyEvent[],
  delta: number,
): Partial<Record<AccountantName, number>> {
  const covered = ACCOUNTANTS.flatMap((accountant) => {
    try {
      return [[accountant, jsonNumber(epsilonOf(events, { delta, accountant }))] as const];
    } catch (error) {
      if (error instanceof RangeError) return [];
      throw error;
    }
  });
  return Object.fromEntries(covered) as Partial<Record<AccountantName, number>>;
}

/** JSON has no infinity: null stands for it. */
function jsonNumber(x: number): number | null {
  return Number.isFinite(x) ? x : null;
}

/** An epsilon or delta, or the noise that they need, for people: never below what was computed. */
function promise(x: number | null | undefined): string {
  return x === null || x === undefined ? "infinite" : String(decimalAbove(x, 6));
}

const NOMINAL =
  "the file says that its charges are nominal, those of the papers, which its noise does not bear out";

const OTHERS =
  "what tasks released beside, to their own models or to the curator, is not in this: who has that knows more (recordLedger of a file)";

/** What the figure of several runs rests on: accounting of a fixed list, where none of them was decided on by what another showed. */
function settledWords({ files = 1, budgets }: Omit<ReadEvents, "events">): string | undefined {
  if (files < 2) return undefined;
  const added = budgets
    ? `: epsilons and deltas add up, here to (${promise(budgets.epsilon)}, ${promise(budgets.delta)})`
    : ", to which epsilons and deltas add up";
  return (
    "holds of runs whose noise was settled before anything of them was seen; where what one released decided whether, or with which budget, " +
    `another was made, what bounds them is a total of budgets that was set beforehand${added}`
  );
}

const REAL_NUMBERS =
  "of noise that is a real number: drawn in floating point it is not proven; fits draw exact noise where they can, which is --discrete";

/** The figures as `account` prints them. */
export function describeCost(
  figures: Figures,
  mechanism: Mechanism | undefined,
  values: Pick<AccountValues, "adjacency">,
  about: Omit<ReadEvents, "events">,
): Result {
  const { unit, person, noiseSource, nominal, others = false, statements = [] } = about;
  const settled = settledWords(about);
  const { events, epsilon, delta, accountant, more } = figures;
  const adjacency = events[0]?.adjacency ?? values.adjacency;
  const byAccountant = more?.["nominal"] === true ? {} : comparison(events, delta);
  const soundness = mechanism
    ? { sound: mechanism.sound, why: mechanism.why }
    : nominal
      ? { sound: false, why: NOMINAL }
      : {};
  const document = {
    ...(mechanism ? { mechanism: mechanism.name } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(unit === "person" && person ? { person } : {}),
    ...(noiseSource === undefined ? {} : { noiseSource }),
    ...(others ? { notCounted: OTHERS } : {}),
    ...(settled === undefined ? {} : { assumed: settled }),
    ...(statements.length === 0 ? {} : { stated: statements }),
    rounds: events.length,
    adjacency,
    epsilon: jsonNumber(epsilon),
    delta,
    accountant,
    ...more,
    epsilonByAccountant: byAccountant,
    ...soundness,
  };
  const noise = more?.["noise"] as number[] | undefined;
  const lines = [
    `epsilon ${promise(jsonNumber(epsilon))}, delta ${promise(delta)} by ${accountant}, ` +
      `for ${events.length} ${events.length === 1 ? "release" : "releases"}, ${adjacency} ${unitWords(unit, person)}`,
    ...(noiseSource === "seeded"
      ? ["NOT PRIVATE: the noise was seeded, and whoever has the seed can subtract it"]
      : []),
    ...(others ? [OTHERS] : []),
    ...(settled === undefined ? [] : [settled]),
    ...(noise
      ? [
          `noise scale ${promise(noise[0])} in the first round, ${promise(noise.at(-1))} in the last`,
        ]
      : []),
    ...Object.entries(byAccountant).map(([name, value]) => `  ${name.padEnd(6)} ${promise(value)}`),
    ...("why" in soundness && !soundness.sound ? [`NOT SOUND: ${soundness.why}`] : []),
    ...(mechanism?.sound && isOfRealNumbersOnly(mechanism) ? [REAL_NUMBERS] : []),
    ...statements.map(statementLine),
  ];
  const altered = statements.some(({ problem }) => problem !== undefined);
  return { document, text: lines.join("\n"), ...(altered ? { exitCode: EXIT.data } : {}) };
}
