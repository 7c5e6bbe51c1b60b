/**
 * What tests of relays for plain sums share: plans with and without relays, and what of a run must not depend on them.
 * @module
 */
import { expect } from "vitest";
import { decodeMessage, makePlan, type Plan } from "../../../src/federation/index.js";
import { makeEstimator } from "../../../src/learning/index.js";
import { owner, run, tasks, weightsOf, type Run } from "../secure-aggregation/secure-run.js";

export const ROUNDS = 2;
const METHOD = ["mp-low-rank", { rounds: ROUNDS, epsilon: 5 }] as const;

/** Two relays, and p4 without. */
const RELAYS: Readonly<Record<string, string | undefined>> = {
  p0: "west",
  p1: "west",
  p2: "east",
  p3: "east",
};
const ABOVE = [
  { name: "west", relay: "top" },
  { name: "east", relay: "top" },
];

export const FORMS = {
  "no relay": { of: {} },
  relays: { of: RELAYS },
  "a tree of relays": { of: { ...RELAYS, p4: "top" }, relays: ABOVE },
} as const;

/** A plan whose participants have these relays. */
export function relayedPlan(
  form: keyof typeof FORMS,
  [method, options]: readonly [string, Readonly<Record<string, unknown>>] = METHOD,
  more: Partial<Plan> = {},
): Plan {
  const { of, ...above } = FORMS[form] as { of: typeof RELAYS };
  return makePlan({
    run: "relayed",
    method,
    features: tasks.featureNames,
    tasks: tasks.names.map((name, i) => ({ name, participant: owner(i) })),
    deadline: 60,
    options: { random: { mode: "seeded", seed: "s" }, delta: 1e-4, ...options },
    aggregation: {
      kind: "relays",
      participants: [0, 1, 2, 3, 4].map((i) => {
        const relay = of[`p${i}`];
        return relay === undefined ? { name: `p${i}` } : { name: `p${i}`, relay };
      }),
      ...above,
    },
    ...more,
  });
}

/** Every task's weights, in the order of names. */
export const sorted = (models: Run["models"]) =>
  [...weightsOf(models)].sort(([a], [b]) => (a < b ? -1 : 1));

/** The same of a local fit whose sums are in any order, and its charges. */
export async function local(plan: Plan) {
  const model = await makeEstimator(plan.method, plan.options).fit(tasks, { sums: "any-order" });
  const one = Object.fromEntries([["all", model]]);
  return { weights: sorted(one), charges: model.ledger?.entries.map(({ event }) => event) };
}

let whole: ReturnType<typeof local> | undefined;
/** The models of the local fit, to the bit, and as many charges. */
export async function expectLocal({ models, curator }: Run): Promise<void> {
  const { weights, charges } = await (whole ??= local(relayedPlan("no relay")));
  expect(sorted(models)).toEqual(weights);
  expect(curator.ledger.entries.map(({ event }) => event)).toEqual(charges);
}

/** What is on its way: the type of a message, and of one of a round's sum its kind. */
export function typeOf(message: Uint8Array): string {
  const decoded = decodeMessage(message);
  if (decoded.type !== "aggregate") return decoded.type;
  return ({ 5: "input", 10: "gather", 11: "partial", 12: "held" } as Record<number, string>)[
    decoded.bytes[1]!
  ]!;
}

export { run };
