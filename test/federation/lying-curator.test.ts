/**
 * Whoever stands between a party and the others lies to it: the party says and draws of every round one thing, whatever it is told and
 * however often it is started again, and ends in a line at most, which tells nothing of its rows or secrets.
 */
import { expect, test } from "vitest";
import { MpMtlError } from "../../src/core/index.js";
import { relayedPlan } from "./relays/plain-run.js";
import { tree } from "./relays/relayed-run.js";
import { plain, twoAggregators, unseeded, type Parties } from "./killed-parties.js";
import { OVER, runLied, type Lies } from "./middleman.js";
import { identity } from "./secure-aggregation/harness.js";
import { owner, planOf, tasks } from "./secure-aggregation/secure-run.js";
import { someOf, thorough } from "../thorough.js";

const own = Object.fromEntries(
  [0, 1, 2, 3, 4].map((i) => [
    `p${i}`,
    tasks.select(tasks.names.filter((_, k) => owner(k) === `p${i}`)),
  ]),
);
const secure = { tasks: own, identity: (who: string) => identity(Number(who[1])).secret };
const above = ["west", "east", "top"];
const untrusted = plain("mp-group-sparse", { curator: "untrusted", rounds: 3 });

const KINDS: Readonly<Record<string, readonly [Parties, Pick<Lies, "about" | "speaks">]>> = {
  "a participant whose curator is untrusted": [untrusted, { about: "p0" }],
  "a participant of secure sums": [
    { ...secure, plan: unseeded(planOf("mp-low-rank", { rounds: 2, epsilon: 5 })) },
    { about: "p0" },
  ],
  "a participant beneath relays of secure sums": [
    { ...secure, plan: unseeded(tree()), relays: above },
    { about: "p0" },
  ],
  "a participant beneath relays of plain sums": [
    { tasks: own, plan: unseeded(relayedPlan("a tree of relays")), relays: above },
    { about: "p0" },
  ],
  "a participant of two aggregators": [twoAggregators, { about: "p0" }],
  "the helper of two aggregators": [twoAggregators, { about: "helper" }],
  "those whom a relay of secure sums lies to": [
    { ...secure, plan: unseeded(tree()), relays: above },
    { about: "west", speaks: true },
  ],
  "those whom a relay of plain sums lies to": [
    { tasks: own, plan: unseeded(relayedPlan("a tree of relays")), relays: above },
    { about: "west", speaks: true },
  ],
  "a relay": [{ ...secure, plan: unseeded(tree()), relays: above }, { about: "west" }],
  "a relay of plain sums": [
    { tasks: own, plan: unseeded(relayedPlan("a tree of relays")), relays: above },
    { about: "west" },
  ],
};

/** Numbers of a party's rows, as a text would have them, and its secret. */
function tokensOf({ tasks: members, identity: secretOf, keys }: Parties, who: string): string[] {
  const data = members[who];
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  return [
    ...(data ? [...data.x.slice(0, 20), ...data.y.slice(0, 20)].map((x) => String(x).slice(0, 9)) : []), // prettier-ignore
    ...(secretOf && data ? [hex(secretOf(who))] : []),
    ...(keys ? [hex(keys.helper), hex(keys.leader)] : []),
  ];
}

/** Each share of lies with each share of kills once. */
const RUNS = thorough ? Array.from({ length: 9 }, (_, k) => k) : [1];

test.each(someOf(Object.entries(KINDS), 2))("%s", async (kind, [parties, whom]) => {
  const tokens = tokensOf(parties, whom.about);
  for (const k of RUNS) {
    const [share, kills] = [[0.1, 0.4, 0.8][k % 3]!, [0.02, 0, 0.08][Math.floor(k / 3) % 3]!];
    const seed = `${kind} ${k}`;
    const seen = await runLied(parties, { ...whom, share, kills, seed });
    expect(seen.wrong, seed).toEqual([]);
    if (seen.end instanceof Error) {
      expect(seen.end instanceof MpMtlError, `${seed}: ${seen.end.stack}`).toBe(true);
    }
    for (const [name, error] of Object.entries(seen.others)) {
      if (whom.speaks) expect(error, `${seed}: ${name}`).toBe(OVER);
      else expect(error === OVER || error instanceof MpMtlError, `${seed}: ${name} ${(error as Error).stack}`).toBe(true); // prettier-ignore
    }
    const text = seen.texts.join("\n");
    for (const token of tokens) expect(text.includes(token), `${seed}: ${token}`).toBe(false);
    if (seen.model?.recordLedger) {
      expect(seen.model.recordLedger.releases, seed).toBeGreaterThanOrEqual(seen.rounds);
    }
  }
});
