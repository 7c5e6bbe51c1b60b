/** Whoever cannot even begin lets go of its connection and its records: a process that holds on to them would not end. */
import { expect, test } from "vitest";
import {
  joinRun,
  ManualClock,
  MemoryNetwork,
  MemoryStore,
  planHash,
  runCurator,
  runRelay,
  type RunStore,
} from "../../src/federation/index.js";
import { encodeFrame } from "../../src/federation/protocol/messages/frame.js";
import { runHelper } from "../../src/federation/verified-sums/index.js";
import { makeTasks } from "../learning/tasks.js";
import { plan } from "./desk.js";

/** Records of something else, a network, and what was closed. */
async function strange() {
  const closed: string[] = [];
  const store = new MemoryStore();
  await store.append(encodeFrame({ type: "of something else" }));
  const note = (what: string, close: () => Promise<void>) => () => {
    closed.push(what);
    return close();
  };
  const own: RunStore = {
    load: () => store.load(),
    append: (record) => store.append(record),
    close: note("store", () => store.close()),
  };
  const network = new MemoryNetwork(new ManualClock());
  const [curator, party] = [network.curator(), network.participant("north")];
  return {
    closed,
    store: own,
    curator: { ...curator, close: note("transport", () => curator.close()) },
    party: { ...party, close: note("transport", () => party.close()) },
  };
}

const agreed = planHash(plan);
const run = plan.run;

test("a curator, a participant, a helper whose records are of something else", async () => {
  const data = makeTasks({ m: 1, d: 2, rows: () => 4 });
  const key = new Uint8Array(32).fill(7);
  const each = [
    ({ store, curator }: Awaited<ReturnType<typeof strange>>) =>
      runCurator({ plan, store, transport: curator }),
    ({ store, party }: Awaited<ReturnType<typeof strange>>) =>
      joinRun({ run, participant: "north", data, agreed, store, transport: party }),
    ({ store, party }: Awaited<ReturnType<typeof strange>>) =>
      runHelper({ run, helper: "north", key, agreed, store, transport: party }),
  ];
  for (const begin of each) {
    const held = await strange();
    await expect(begin(held)).rejects.toThrow();
    expect(held.closed).toEqual(["transport", "store"]);
  }
});

test("a relay of a name that is none", async () => {
  const { party, closed } = await strange();
  await expect(runRelay({ run, relay: "no name", agreed, transport: party })).rejects.toThrow(
    "relay: expected",
  );
  expect(closed).toEqual(["transport"]);
});
