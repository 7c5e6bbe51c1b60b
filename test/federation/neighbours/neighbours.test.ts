/**
 * Neighbouring participants: with the same releases nothing that other participants receive, or that the curator writes and counts, may tell
 * what one participant's rows hold.
 */
import { describe, expect, test } from "vitest";
import { TaskSet } from "../../../src/data/index.js";
import { makePlan, type Plan, type PlanInput } from "../../../src/federation/index.js";
import { generator } from "../../learning/uniform-draws.js";
import { thorough } from "../../thorough.js";
import { identity } from "../secure-aggregation/harness.js";
import { dealt } from "../runs.js";
import { bothWorlds } from "./two-worlds.js";

const NAMES = ["p0", "p1", "p2", "p3"];
const [CHANGED, M, D] = ["p1", 8, 3];

/** Rows as most owners have them, and how one owner's may differ. */
type World = "usual" | "other" | "far" | "constant" | "nothing" | "huge";

function tasksOf(labels: readonly string[] | undefined, world: World): TaskSet {
  const { normal, uniform } = generator(7);
  const factor = { usual: 1, other: 1, far: 1e4, constant: 0, nothing: 0, huge: 1e300 };
  const tasks = Array.from({ length: M }, (_, i) => {
    const isChanged = world !== "usual" && i % NAMES.length === 1;
    const rows = 5 + (i % 3);
    const draws = Array.from({ length: rows }, () => Array.from({ length: D }, normal));
    const picks = draws.map(() => uniform());
    const k = isChanged ? factor[world] : 1;
    const level = isChanged && world === "constant" ? 3 : 0;
    const x = draws.map((row) => row.map((value) => k * (isChanged ? -value : value) + level));
    const y = x.map((row, j) => {
      const value = row[0]! - row[1]! / 2 + k * picks[j]!;
      if (!labels) return value;
      const at = isChanged ? 0 : Math.floor(picks[j]! * labels.length);
      return labels[at]!;
    });
    return { name: `task-${i}`, x, y: y as number[] | string[] };
  });
  return TaskSet.from(tasks, labels ? { labels: [...labels] } : {});
}

const AGGREGATIONS = {
  plain: null,
  relays: {
    kind: "relays",
    participants: NAMES.map((name, k) => ({ name, relay: ["west", "east"][k % 2]! })),
  },
  secure: {
    participants: NAMES.map((name, k) => ({
      name,
      identity: Buffer.from(identity(k).public).toString("hex"),
    })),
    threshold: 3,
    colluding: 1,
  },
} as const;
type Sums = keyof typeof AGGREGATIONS;

const SHORT = { rounds: 3, clip: 2 };
const CASES: readonly [Sums, string, Record<string, unknown>][] = [
  ["plain", "mp-mixed", { epsilon: 30 }],
  ["secure", "mp-mixed", { epsilon: 30 }],
  ["plain", "private-fedavg", { ...SHORT, loss: "logistic", choice: "pooled", epsilon: 20 }],
  ["plain", "mp-mixed", { epsilon: 20, loss: "logistic" }],
];

const LABELS: Readonly<Record<string, readonly string[]>> = {
  logistic: ["no", "yes"],
  softmax: ["a", "b", "c"],
};

function planOf(sums: Sums, method: string, options: Record<string, unknown>): Plan {
  const classes = LABELS[String(options["loss"])];
  return makePlan({
    ...{ run: "neighbours", method, deadline: 60 },
    features: tasksOf(classes, "usual").featureNames,
    tasks: Array.from({ length: M }, (_, i) => ({ name: `task-${i}`, participant: `p${i % 4}` })),
    aggregation: AGGREGATIONS[sums] as NonNullable<PlanInput["aggregation"]> | null,
    ...(classes ? { classes: [...classes] } : {}),
    options: { random: { mode: "seeded", seed: "neighbours" }, delta: 1e-3, ...options },
  });
}

describe("with the same releases all others see the same", () => {
  test.each(thorough ? CASES : CASES.slice(2, 3))(
    "%s sums, %s %o",
    async (sums, method, options) => {
      const plan = planOf(sums, method, options);
      const classes = LABELS[String(options["loss"])];
      const setting = {
      ...{ plan, changed: CHANGED },
      relays: sums === "relays" ? ["west", "east"] : [],
      ...(sums === "secure" ? { identity: (name: string) => identity(NAMES.indexOf(name)).secret } : {}),
    }; // prettier-ignore
      const usual = dealt(tasksOf(classes, "usual"), NAMES.length);
      for (const world of ["far"] as const) {
        const own = dealt(tasksOf(classes, world), NAMES.length)[CHANGED]!;
        const { present, neighbour } = await bothWorlds(setting, usual, own);
        expect(present.releases.length).toBeGreaterThan(0);
        const at = present.lines.findIndex((line, i) => line !== neighbour.lines[i]);
        expect(neighbour.lines[at], `${world}, line ${at}`).toBe(present.lines[at]);
        expect(neighbour.lines.length).toBe(present.lines.length);
      }
    },
  );
});
