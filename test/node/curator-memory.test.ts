/** A curator's memory is bounded by the model: neither rounds, nor pulls, nor participants that read nothing add to it. */
import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  makePlan,
  planHash,
  runCurator,
  type Body,
  type CuratorTransport,
  type RunStore,
} from "../../src/federation/index.js";
import { openBroadcastFile, openRunFolder } from "../../src/node/index.js";
import { temporaryFolder } from "../temporary.js";
import { thoroughTest } from "../thorough.js";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

const D = 100;
const BROADCAST = 8 * D * D;
const plan = makePlan({
  run: "long",
  method: "mp-low-rank",
  features: Array.from({ length: D }, (_, i) => `x${i}`),
  tasks: ["a", "b"].map((name) => ({ name, participant: name })),
  options: { rounds: 100, clip: 1, epsilon: 5, delta: 1e-3, random: { mode: "seeded", seed: 1 } },
});

async function memory(): Promise<number> {
  // What waits for a turn of the loop is done first; arrays are given back a collection later.
  for (let k = 0; k < 3; k++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** A network on which the test is everybody. `taken` settles what is sent to one participant. */
class Desk {
  round = 0;
  session = "";
  readonly repeated = new Map<number, string>();
  taken: Promise<void> = Promise.resolve();
  #receive: (from: string, message: Uint8Array) => void = () => undefined;

  readonly transport: CuratorTransport = {
    broadcast: (bytes) => {
      const message = decodeMessage(bytes);
      this.session = message.session;
      if (message.type === "broadcast") this.round = message.round;
      return Promise.resolve();
    },
    send: (_to, bytes) => {
      const message = decodeMessage(bytes);
      if (message.type === "broadcast") {
        const digest = createHash("sha256").update(new Uint8Array(message.values.buffer));
        this.repeated.set(message.round, digest.digest("hex"));
      }
      return this.taken;
    },
    listen: (handlers) => {
      this.#receive = (from, message) => handlers.message(from, message);
      handlers.link("up");
    },
    close: () => Promise.resolve(),
  };

  say(participant: string, body: Body): void {
    const { session } = this;
    const envelope = { run: plan.run, session, plan: planHash(plan), participant };
    this.#receive(participant, encodeMessage(envelope, body));
  }

  register(): void {
    for (const name of ["a", "b"]) this.say(name, { type: "register", tasks: [{ name, rows: 9 }] });
  }

  async rounds(until: number): Promise<void> {
    const values = new Float64Array(D).fill(0.01);
    while (this.round < until) {
      const round = this.round + 1;
      for (const [position, name] of ["a", "b"].entries()) {
        this.say(name, { type: "upload", round, positions: [position], values });
      }
      while (this.round < round) await new Promise((resolve) => setTimeout(resolve));
    }
  }
}

thoroughTest(
  "90 rounds, 1,500 pulls and a return leave a curator as large as after 20 rounds",
  async () => {
    const folder = temporaryFolder();
    const open = (
      desk: Desk,
      stop: AbortController,
      through: (store: RunStore) => RunStore = (store) => store,
    ) => {
      const done = runCurator({
        plan,
        transport: desk.transport,
        store: through(openRunFolder(folder)),
        broadcasts: openBroadcastFile(folder),
        releases: openBroadcastFile(folder),
        signal: stop.signal,
      }).catch(() => undefined);
      return done;
    };
    let stop = new AbortController();
    const first = new Desk();
    let done = open(first, stop);
    while (first.session === "") await new Promise((resolve) => setTimeout(resolve));
    first.register();
    await first.rounds(20);
    const before = await memory();
    await first.rounds(90);
    expect(await memory()).toBeLessThan(before + 10 * BROADCAST); // 70 more broadcasts, if they were kept

    // Somebody asks for everything ten times over, and reads nothing.
    let take: () => void = () => undefined;
    first.taken = new Promise((resolve) => (take = resolve));
    for (let k = 0; k < 1500; k++) first.say("a", { type: "pull", round: 1 + (k % 90) });
    expect(await memory()).toBeLessThan(before + 10 * BROADCAST);
    take();
    first.taken = Promise.resolve();
    for (let round = 1; round <= 90; round++) {
      first.say("b", { type: "pull", round });
      while (!first.repeated.has(round)) await new Promise((resolve) => setTimeout(resolve));
    }
    stop.abort(new Error("killed"));
    await done;

    // Its successor makes the same broadcasts again from the records, and keeps as little.
    stop = new AbortController();
    const second = new Desk();
    let read = 0;
    let most = 0;
    done = open(second, stop, (store) => ({
      ...store,
      async *read() {
        for await (const record of store.read!()) {
          yield record;
          if (++read % 30 === 0) most = Math.max(most, await memory());
        }
      },
    }));
    while (second.round < 90) await new Promise((resolve) => setTimeout(resolve));
    expect(read).toBeGreaterThan(90);
    expect(most).toBeLessThan(before + 10 * BROADCAST);
    for (let round = 1; round <= 90; round++) {
      second.say("b", { type: "pull", round });
      while (!second.repeated.has(round)) await new Promise((resolve) => setTimeout(resolve));
    }
    expect([...second.repeated].every(([round, bits]) => first.repeated.get(round) === bits)).toBe(
      true,
    );
    expect(await memory()).toBeLessThan(before + 10 * BROADCAST);
    stop.abort(new Error("killed"));
    await done;
  },
);
