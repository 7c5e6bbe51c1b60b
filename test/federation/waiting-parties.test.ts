/** A helper and a relay whose run waits for others, before the start or in a round, are told that the curator is there. */
import { expect, test } from "vitest";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  runRelay,
} from "../../src/federation/index.js";
import { runHelper } from "../../src/federation/verified-sums/index.js";
import { dealt, planFor, settle } from "./runs.js";
import { helper, leader, names, planOf, tasks } from "./verified-sums/verified-run.js";
import { thorough } from "../thorough.js";

const HOURS = (thorough ? 3 : 1) * 3_600_000;

/** What a party says in hours of a run in which one participant is awaited: never there, or gone after the start. */
async function hours(
  party: "helper" | "relay",
  missing: "never there" | "gone",
): Promise<unknown[]> {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const stop = new AbortController();
  const gone = new AbortController();
  const { signal } = stop;
  const plan =
    party === "helper"
      ? planOf("mp-low-rank", { clip: 1, rounds: 3 })
      : planFor(tasks, {
          method: "mp-low-rank",
          options: { clip: 1, rounds: 3 },
          aggregation: {
            kind: "relays",
            participants: names.map((name) => ({ name, relay: "west" })),
          },
        });
  const agreed = planHash(plan);
  const running = runCurator({
    plan,
    clock,
    signal,
    store: new MemoryStore(),
    transport: network.curator(),
    ...(party === "helper" ? { leaderKey: leader.secret } : {}),
    onStatus: ({ kind }) => {
      if (kind === "started") gone.abort(new Error("gone"));
    },
  });
  const said: unknown[] = [];
  const onStatus = (status: { kind: string }) =>
    ["unanswered", "ignored"].includes(status.kind) && said.push(status);
  const common = { run: plan.run, agreed, clock, signal, onStatus };
  const helping =
    party === "helper"
      ? runHelper({
          ...common,
          helper: "helper",
          key: helper.secret,
          store: new MemoryStore(),
          transport: network.participant("helper"),
        })
      : runRelay({ ...common, relay: "west", transport: network.participant("west") });
  const shares = dealt(tasks, names.length);
  const joined = Object.entries(shares).map(([participant, data], i) => {
    const isMissing = i === 0;
    if (isMissing && missing === "never there") return undefined;
    return joinRun({
      run: plan.run,
      participant,
      data,
      agreed,
      clock,
      store: new MemoryStore(),
      transport: network.participant(participant),
      signal: isMissing ? gone.signal : signal,
    });
  });
  const all = Promise.allSettled([running, helping, ...joined]);
  clock.after(HOURS, () => stop.abort(new Error("enough")));
  const ends = await settle(clock, all);
  return [...said, ...ends.slice(0, 2).map((end) => (end as PromiseRejectedResult).reason)];
}

test.each(["helper", "relay"] as const)("a %s", async (party) => {
  const enough = [new Error("enough"), new Error("enough")];
  expect(await hours(party, "never there")).toEqual(enough);
  expect(await hours(party, "gone")).toEqual(enough);
});
