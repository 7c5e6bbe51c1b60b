/** Plans that a dishonest curator sends in the place of the one agreed on: every field changed, left out or doubled. Nothing is sent for any of them. */
import { describe, expect, test } from "vitest";
import { MpMtlError } from "../../../src/core/index.js";
import {
  canonicalPlan,
  decodeMessage,
  encodeMessage,
  ParticipantMachine,
  planHash,
  type ParticipantEffect,
  type Plan,
} from "../../../src/federation/index.js";
import { textHash } from "../../../src/federation/protocol/plan/plan-hash.js";
import { makeTasks } from "../../learning/tasks.js";
import { thorough } from "../../thorough.js";
import { dealt, planFor } from "../runs.js";
import { twoAggregators } from "../killed-parties.js";
import { relayedPlan } from "../relays/plain-run.js";
import { identity } from "../secure-aggregation/harness.js";
import { planOf } from "../secure-aggregation/secure-run.js";

const three = makeTasks({ m: 3, d: 3, rows: () => 8 });
const data = dealt(three, 3)["p0"]!;
const plainOf = (method: string, options: object) =>
  planFor(three, { method, options: { rounds: 2, random: { mode: "secure" }, ...options } });

const PLANS: Readonly<Record<string, Plan>> = {
  "plain sums": plainOf("mp-low-rank", {}),
  "rounds of blocks": plainOf("pmtl", {
    rounds: 6,
    adjacency: "zero-out",
    sampling: { kind: "allocation", picks: 2 },
  }),
  "an untrusted curator": plainOf("mp-group-sparse", { curator: "untrusted" }),
  "secure sums": planOf("mp-low-rank", { rounds: 2 }),
  "relays of plain sums": relayedPlan("relays"),
  "two aggregators": twoAggregators.plan,
};

/** JSON of values; JSON.parse makes infinities of two of them. */
const VALUES = [
  "1e999",
  "-1e999",
  "1e308",
  "1e-320",
  "-1",
  "0",
  "2147483648",
  "null",
  "true",
  "[]",
  "{}",
  '"NaN"',
  '"Infinity"',
  '"1"',
  '"auto"',
  '"none"',
  '"record"',
  '"both"',
  '"replace"',
  '{"mode":"seeded","seed":1}',
  '{"kind":"all"}',
  '{"__proto__":{"epsilon":1}}',
  "[null]",
];
const HERE = "(here)";

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null;

/** The plan with a change at every place of its tree, as texts. */
function* forged(value: Tree, whole: () => string): Generator<string> {
  for (const key of Object.keys(value)) {
    const own = value[key];
    value[key] = HERE;
    const text = whole();
    const near = typeof own === "number" ? [10 * own, own / 10, own + 1].map(String) : [];
    for (const other of [...VALUES, ...near]) yield text.replace(`"${HERE}"`, other);
    // Twice in one text: the last one counts, or the first.
    yield text.replace(`"${HERE}"`, `1e9,${JSON.stringify(key)}:${JSON.stringify(own)}`);
    value[key] = undefined;
    yield whole();
    value[key] = own;
    if (isTree(own)) yield* forged(own, whole);
  }
}

const isHello = (one: ParticipantEffect) =>
  one.type === "send" && decodeMessage(one.message).type === "hello";

/** What a participant does when it is offered that text. */
function offered(plan: Plan, text: string, agreed?: string, session = "5".repeat(32)) {
  const machine = new ParticipantMachine({
    run: plan.run,
    participant: "p0",
    data,
    records: [],
    identity: identity(0).secret,
    ...(agreed === undefined ? {} : { agreed }),
  });
  machine.handle({ type: "link", state: "up" });
  const { run } = plan;
  const envelope = { run, session, plan: planHash(plan), participant: "p0" };
  const message = encodeMessage(envelope, { type: "plan", text, release: "0.0.0" });
  const effects = machine.handle({ type: "message", message, scope: "own" });
  const asksOn: boolean = agreed !== undefined && effects.every((one) => one.type !== "fail");
  // Offered another plan than the one agreed on, or one that it cannot read, it asks three times more whether a curator has that, and nothing else.
  for (let asked = 0; asksOn && asked < 3; asked++) {
    const again = machine.handle({ type: "timer", name: "retry" });
    effects.push(...again.filter((one) => !isHello(one)));
  }
  machine.dispose();
  const said = effects.flatMap((one) =>
    one.type === "send" ? [decodeMessage(one.message).type] : [],
  );
  return { effects, said, failed: effects.find((one) => one.type === "fail")?.error };
}

describe.each(Object.entries(PLANS))("of a plan with %s", (_, plan) => {
  const text = canonicalPlan(plan);
  const parsed = JSON.parse(text) as Tree;
  // All of them where every test is asked for, else one of eight.
  const texts = [...forged(parsed, () => JSON.stringify(parsed))].filter(
    (one, i) => one !== text && (thorough || i % 8 === 0),
  );

  test("none is taken for the plan that was agreed to", () => {
    expect(texts.length).toBeGreaterThan(thorough ? 500 : 60);
    for (const one of texts) {
      const { said, failed } = offered(plan, one, planHash(plan));
      expect(failed, one).toBeInstanceOf(MpMtlError);
      expect(["unable", "leave", ""], one).toContain(said[0] ?? "");
      expect(said.length, one).toBeLessThan(2);
    }
  });

  test("the plan itself is refused where it comes without a session, in which nothing more would be heard", () => {
    const { said, failed } = offered(plan, text, planHash(plan), "");
    expect(failed).toBeInstanceOf(MpMtlError);
    expect(failed?.message).toContain("names no session");
    expect(said).toEqual([]);
  });

  test("each is refused, or shown under the hash of its own text", () => {
    for (const one of texts) {
      const { effects, failed } = offered(plan, one);
      if (failed) expect(failed, one).toBeInstanceOf(MpMtlError);
      else expect(effects.find(({ type }) => type === "show"), one).toMatchObject({ hash: textHash(one) }); // prettier-ignore
    }
  });
});
