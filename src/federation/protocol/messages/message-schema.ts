/**
 * What the fields of every type of message are held to.
 * @module
 */
import { isObject } from "../../../core/is-object.js";
import { MOST_ATTEMPTS } from "./attempts.js";
import { REFUSALS } from "./refusal-reasons.js";

export type Check = (value: unknown) => boolean;

const MOST = 2 ** 24;
const whole: Check = (x) => Number.isInteger(x) && (x as number) >= 0 && (x as number) < 2 ** 31;
const count: Check = (x) => whole(x) && (x as number) > 0;
/** A sum of counts. */
const total: Check = (x) => Number.isSafeInteger(x) && (x as number) > 0;
const text: Check = (x) => typeof x === "string" && x.length <= MOST;
const hex =
  (length: number): Check =>
  (x) =>
    x === "" || (typeof x === "string" && x.length === length && /^[0-9a-f]+$/.test(x));
const listOf =
  (check: Check): Check =>
  (x) =>
    Array.isArray(x) && x.length <= MOST && x.every(check);
const release: Check = (x) => typeof x === "string" && /^[0-9A-Za-z.+-]{1,64}$/.test(x);
const ascending: Check = (x) =>
  listOf(whole)(x) && (x as number[]).every((at, i, all) => i === 0 || at > all[i - 1]!);
const drawn = listOf((x) => x === 0 || x === 1);
const optional =
  (check: Check): Check =>
  (x) =>
    x === undefined || check(x);
const budget: Check = (x) => Number.isFinite(x) && (x as number) > 0;
const task: Check = (x) => {
  const { name, rows, epsilon, ...rest } = (x ?? {}) as Record<string, unknown>;
  const known = text(name) && name !== "" && count(rows) && optional(budget)(epsilon);
  return known && Object.keys(rest).length === 0;
};
const owners: Check = (x) => {
  const { rows, epsilons, ...rest } = (x ?? {}) as Record<string, unknown>;
  return listOf(count)(rows) && listOf(budget)(epsilons) && Object.keys(rest).length === 0;
};
const statement: Check = (x) => {
  const { guarantee, ledger, ...rest } = (x ?? {}) as Record<string, unknown>;
  return isObject(guarantee) && isObject(ledger) && Object.keys(rest).length === 0;
};

/** The random name of a state. */
const stateName: Check = (x) => x !== "" && hex(32)(x);
const state = optional(stateName);

const attempt: Check = (x) => count(x) && (x as number) <= MOST_ATTEMPTS;
const ATTEMPT = { round: count, attempt };
const HELPER_REQUEST = { ...ATTEMPT, m: count, rows: total, mostRows: count, state: stateName };

/** The fields of every type of message, beside the envelope's. */
export const MESSAGE_FIELDS = {
  here: { state },
  hello: { speaks: listOf(count) },
  plan: { text, release },
  register: { tasks: listOf(task), state },
  registered: {},
  refused: { reason: (x) => typeof x === "string" && Object.hasOwn(REFUSALS, x), state },
  start: {
    m: count,
    rows: total,
    mostRows: count,
    state,
    owners: optional(owners),
    round: count,
    positions: listOf(whole),
    given: (x) => typeof x === "boolean",
    releases: (x) => x !== "" && hex(64)(x),
  },
  call: {
    round: count,
    positions: ascending,
    drawn: optional(drawn),
    straight: optional((x) => x === true),
  },
  upload: { round: count, positions: ascending },
  broadcast: { round: count, drawn: optional(drawn), statement: optional(statement) },
  pull: { round: count },
  aggregate: { ...ATTEMPT, straight: optional((x) => x === true) },
  check: { ...HELPER_REQUEST, reporter: text },
  checked: { ...ATTEMPT, reporter: text },
  give: { ...HELPER_REQUEST, included: listOf(text) },
  given: ATTEMPT,
  withheld: ATTEMPT,
  finish: {},
  done: {},
  leave: {},
  unable: { release },
} satisfies Record<string, Record<string, Check>>;
/** Types that carry a vector. */
export const WITH_VALUES: readonly string[] = ["start", "upload", "broadcast"];
/** Types that carry plain bytes. */
export const WITH_BYTES: readonly string[] = ["aggregate", "check", "checked", "given"];

/** How the fields of a message's envelope are checked. */
export const CHECKS = { whole, text, hex } as const;
