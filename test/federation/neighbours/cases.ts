/**
 * Runs that are gone through in two worlds: rows, plans, and who is late or away.
 * @module
 */
import { TaskSet } from "../../../src/data/index.js";
import { makePlan, type PlanInput } from "../../../src/federation/index.js";
import { generator } from "../../../bench/uniform-draws.js";
import { identity } from "../secure-aggregation/harness.js";
import { dealt } from "../runs.js";
import { AGGREGATORS, helper, leader } from "../verified-sums/verified-run.js";
import type { Setting } from "./two-worlds.js";

export const NAMES = ["p0", "p1", "p2", "p3"];
const [CHANGED, M, D] = ["p1", 8, 3];
/** Of every run, public. */
export const SIZES = { m: M, d: D, rows: 47, mostRows: 7 };

/** Rows as most owners have them, and how one owner's may differ. */
export const WORLDS = ["other", "far", "constant", "nothing", "huge"] as const;
export type World = "usual" | (typeof WORLDS)[number];

/** @param isOne whether one record alone differs, the first of the changed owner's. */
function tasksOf(labels: readonly string[] | undefined, world: World, isOne = false): TaskSet {
  const { normal, uniform } = generator(7);
  const factor = { usual: 1, other: 1, far: 1e4, constant: 0, nothing: 0, huge: 1e140 };
  const tasks = Array.from({ length: M }, (_, i) => {
    const isOwn = world !== "usual" && i % NAMES.length === 1;
    const isChanged = (row: number) => isOwn && (!isOne || (i === 1 && row === 0));
    const rows = 5 + (i % 3);
    const draws = Array.from({ length: rows }, () => Array.from({ length: D }, normal));
    const picks = draws.map(() => uniform());
    const times = (j: number) => (isChanged(j) ? factor[world] : 1);
    const x = draws.map((row, j) => {
      const level = isChanged(j) && world === "constant" ? 3 : 0;
      return row.map((value) => times(j) * (isChanged(j) ? -value : value) + level);
    });
    const y = x.map((row, j) => {
      const value = row[0]! - row[1]! / 2 + times(j) * picks[j]!;
      if (!labels) return value;
      const at = isChanged(j) ? 0 : Math.floor(picks[j]! * labels.length);
      return labels[at]!;
    });
    return { name: `task-${i}`, x, y: y as number[] | string[] };
  });
  return TaskSet.from(tasks, labels ? { labels: [...labels] } : {});
}

const named = NAMES.map((name, k) => ({
  name,
  identity: Buffer.from(identity(k).public).toString("hex"),
}));
const RELAYS = ["west", "east"];
const relayed = <T>(list: readonly T[]) =>
  list.map((one, k) => ({ ...one, relay: RELAYS[k % RELAYS.length]! }));
const NUMBERS = { threshold: 3, colluding: 1 };

const AGGREGATIONS = {
  plain: null,
  relays: { kind: "relays", participants: relayed(NAMES.map((name) => ({ name }))) },
  "a tree of relays": {
    kind: "relays",
    participants: relayed(NAMES.map((name) => ({ name }))),
    relays: RELAYS.map((name) => ({ name, relay: "top" })),
  },
  secure: { participants: named, ...NUMBERS },
  "secure, relays": { participants: relayed(named), ...NUMBERS },
  verified: AGGREGATORS,
} as const;
export type Sums = keyof typeof AGGREGATIONS;

/** A run, and who is late or away in it. */
export interface Case {
  readonly sums: Sums;
  readonly method: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly plan?: Partial<PlanInput>;
  readonly who?: Pick<Setting, "late" | "away">;
  /** Whether it is short, and not only gone through where all tests are asked for. */
  readonly always?: true;
}

const SHORT = { rounds: 3, clip: 2 };
const HALF = { quorum: 0.5, deadline: 5 };
const COHORT = { ...SHORT, adjacency: "zero-out", epsilon: 20 };
const mixed = { method: "mp-mixed", options: { epsilon: 30 } };
const averaging = { method: "private-fedavg", options: { ...SHORT, epsilon: 20 } };
const lowRank = { method: "mp-low-rank", options: { rounds: 3, epsilon: 20 } };
const ROWS = { normalize: "rows" } as const;

/** Runs that hide records. */
export const RECORDS: readonly Case[] = [
  { ...mixed, options: { epsilon: 30, scale: "unit", unit: "record" } },
  { ...mixed, options: { epsilon: 30, scale: "unit", unit: "both" } },
  { method: "pmtl", options: { ...SHORT, epsilon: 20, unit: "record" } },
  { ...averaging, options: { ...SHORT, epsilon: 20, unit: "record", loss: "logistic" } },
  { ...averaging, options: { ...SHORT, epsilon: 20, unit: "both" } },
  { method: "mp-feature-learning", options: { epsilon: 20, unit: "record", scale: "unit" } },
  { method: "mp-hierarchical", options: { epsilon: 20, unit: "both", scale: "unit" } },
].flatMap((run, k): Case[] => [
  { ...run, sums: "plain", ...(k === 0 ? { always: true } : {}) },
  { ...run, sums: "secure", ...(k === 2 ? { always: true } : {}) },
  // Relays change nothing of what an owner adds: some runs show that they hide as much.
  ...(k % 3 === 1 ? [{ ...run, sums: "secure, relays" } as const] : []),
]);

export const CASES: readonly Case[] = [
  {
    sums: "plain",
    always: true,
    method: "private-fedavg",
    options: { ...SHORT, loss: "logistic", choice: "pooled", epsilon: 20 },
  },
  { sums: "plain", ...mixed },
  { sums: "secure", ...mixed },
  { sums: "plain", method: "mp-mixed", options: { epsilon: 20, loss: "logistic" } },
  { sums: "relays", ...lowRank, plan: ROWS },
  { sums: "relays", ...averaging, always: true },
  { sums: "a tree of relays", ...mixed },
  { sums: "secure, relays", ...lowRank, plan: ROWS },
  { sums: "verified", ...lowRank, plan: ROWS },
  { sums: "verified", ...averaging },
  ...[
    { kind: "poisson", rate: 0.5 },
    { kind: "fixed-size", size: 3 },
    { kind: "allocation", picks: 1 },
  ].flatMap((sampling): Case[] => [
    { sums: "plain", method: "private-fedavg", options: { ...COHORT, sampling } },
    { sums: "plain", method: "pmtl", options: { ...COHORT, sampling } },
  ]),
  // The changed owner, or another, comes late, or lets a deadline pass and is back.
  ...["p1", "p3"].flatMap((who): Case[] => [
    {
      sums: "plain",
      ...averaging,
      who: { late: [who] },
      plan: { minimumTasks: 6, latecomers: { tasks: 2, rows: 9 }, registration: 1, ...HALF },
    },
    { sums: "plain", ...averaging, plan: HALF, who: { away: { [who]: [2] } } },
    { sums: "relays", ...averaging, plan: HALF, who: { away: { [who]: [2] } } },
    { sums: "verified", ...averaging, plan: HALF, who: { away: { [who]: [2] } } },
    { sums: "secure", ...averaging, plan: { deadline: 5 }, who: { away: { [who]: [2] } } },
  ]),
  { sums: "relays", ...averaging, plan: HALF, who: { away: { west: [2] } }, always: true },
  ...RECORDS,
];

const LABELS: Readonly<Record<string, readonly string[]>> = {
  logistic: ["no", "yes"],
  softmax: ["a", "b", "c"],
};

/** What a case is called. */
export const titleOf = ({ sums, method, options, who }: Case): string =>
  `${sums} sums, ${method} ${JSON.stringify(options)} ${who ? JSON.stringify(who) : ""}`;

/** The run of a case, everyone's rows in the present world, and the changed owner's in another. */
export function madeOf({ sums, method, options, plan: more = {}, who = {} }: Case) {
  const classes = LABELS[String(options["loss"])];
  const plan = makePlan({
    run: "neighbours",
    method,
    deadline: 60,
    features: tasksOf(classes, "usual").featureNames,
    tasks: Array.from({ length: M }, (_, i) => ({ name: `task-${i}`, participant: `p${i % 4}` })),
    aggregation: AGGREGATIONS[sums] as unknown as NonNullable<PlanInput["aggregation"]> | null,
    ...(classes ? { classes: [...classes] } : {}),
    ...more,
    options: { random: { mode: "seeded", seed: "neighbours" }, delta: 1e-3, ...options },
  });
  const isTree = sums === "a tree of relays";
  const hasRelays = isTree || sums === "relays" || sums === "secure, relays";
  const setting: Setting = {
    plan,
    changed: CHANGED,
    ...who,
    relays: [...(hasRelays ? RELAYS : []), ...(isTree ? ["top"] : [])],
    ...(sums === "verified"
      ? { aggregators: { leader: leader.secret, helper: helper.secret } }
      : {}),
    ...(sums.startsWith("secure")
      ? { identity: (name: string) => identity(NAMES.indexOf(name)).secret }
      : {}),
  };
  const worldOf = (world: World, isOne = false) =>
    dealt(tasksOf(classes, world, isOne), NAMES.length);
  /** @param isOne whether one record alone differs. */
  const ownIn = (world: World, isOne = false) => worldOf(world, isOne)[CHANGED]!;
  return { setting, usual: worldOf("usual"), ownIn };
}
