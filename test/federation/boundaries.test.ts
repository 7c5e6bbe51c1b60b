/** A curator or participant that is killed at any one message of a run, and comes back from its records: one noise, one upload, one charge a round. */
import { expect, test } from "vitest";
import {
  decodeMessage,
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  type Plan,
} from "../../src/federation/index.js";
import { makeTasks } from "../learning/tasks.js";
import { planFor, settle } from "./runs.js";

const tasks = makeTasks({ m: 3, d: 3, rows: () => 8 });
const CURATOR = "(curator)";
class Killed extends Error {}

/** Nothing is drawn from a seed, so what is drawn twice is not the same. */
const plans: Record<string, Plan> = Object.fromEntries(
  Object.entries({
    plain: { method: "mp-low-rank", options: { rounds: 2 } },
    sampled: { method: "pmtl", options: { rounds: 2, sampling: { kind: "fixed-size", size: 2 } } },
    "noise of its own": {
      method: "mp-low-rank",
      options: { rounds: 2, clip: 1, curator: "untrusted" },
    },
  }).map(([name, { method, options }]) => {
    const random = { mode: "secure" };
    return [name, planFor(tasks, { method, deadline: 20, options: { ...options, random } })];
  }),
);

/** A run in which one party is killed when a message is sent, and started again a second later. */
async function runKilling(plan: Plan, victim?: { readonly who: string; readonly at: number }) {
  const clock = new ManualClock();
  const network = new MemoryNetwork(clock);
  const processes = new Map<string, AbortController>();
  const said = new Map<string, Set<string>>();
  const finished = new Set<string>();
  let messages = 0;
  network.watch = ({ from, message }) => {
    const body = decodeMessage(message);
    if (body.type === "broadcast" || body.type === "upload") {
      const name = `${from} ${body.type} ${body.round}`;
      said.set(name, (said.get(name) ?? new Set()).add(body.values.join()));
    }
    if (messages++ === victim?.at) processes.get(victim.who)!.abort(new Killed());
  };
  const again = <T>(
    who: string,
    start: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> => {
    const process = new AbortController();
    processes.set(who, process);
    return start(process.signal).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
      if (finished.has(who)) return undefined; // it has its models
      return new Promise<T | undefined>((resolve, reject) => {
        clock.after(1000, () => void again(who, start).then(resolve, reject));
      });
    });
  };
  const store = new MemoryStore();
  const curator = again(CURATOR, (signal) =>
    runCurator({ plan, store, clock, signal, transport: network.curator() }),
  );
  const joined = tasks.names.map((task, i) => {
    const participant = `p${i}`;
    const own = { data: tasks.select([task]), store: new MemoryStore(), agreed: planHash(plan) };
    const onModel = () => void finished.add(participant);
    return again(participant, (signal) => {
      const transport = network.participant(participant);
      return joinRun({ ...own, run: plan.run, participant, clock, signal, transport, onModel });
    });
  });
  const [result] = await settle(clock, Promise.all([curator, Promise.all(joined)]), 20_000);
  return { messages, said, finished, charges: result!.ledger.entries.length };
}

test.each(Object.entries(plans))("%s", async (_name, plan) => {
  const { messages } = await runKilling(plan);
  expect(messages).toBeGreaterThan(30);
  for (const who of [CURATOR, "p0"]) {
    for (let at = 0; at < messages; at++) {
      const { said, finished, charges } = await runKilling(plan, { who, at });
      const twice = [...said].flatMap(([name, values]) => (values.size > 1 ? [name] : []));
      const where = `${who} killed at message ${at}`;
      expect({ where, twice, models: finished.size, charges }).toEqual({
        ...{ where, twice: [], models: 3, charges: 2 },
      });
    }
  }
});
