/** Relays for plain sums at a real server: one is killed in the middle, and the models are those of a local fit whose sums are in any order. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  joinRun,
  MemoryStore,
  planHash,
  runCurator,
  runRelay,
} from "../../../src/federation/index.js";
import {
  openNatsCurator,
  openNatsParticipant,
  openNatsRelay,
} from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { owner, tasks } from "../secure-aggregation/secure-run.js";
import { local, relayedPlan, sorted } from "../relays/plain-run.js";
import { describeNats, makeDeployment } from "./servers/server.js";

describeNats("relays for plain sums", () => {
  test("a tree of them, of which one is killed and started again: the local fit's bits", async () => {
    const names = ["p0", "p1", "p2", "p3", "p4"];
    const relays = { west: ["p0", "p1"], east: ["p2", "p3"], top: ["p4", "west", "east"] };
    const plan = relayedPlan("a tree of relays", undefined, { run: "trial" });
    const without = Object.keys(relays);
    const deployment = await makeDeployment(names, { relays, without });
    const [server] = deployment.servers;
    await server!.start();
    const connect = (name: string) =>
      connectNats([server!.url], {
        authority: deployment.authority,
        credentials: deployment.credentials(name),
        inboxPrefix: "_INBOX.mpmtl-curator.trial",
      });
    const agreed = planHash(plan);
    const common = { run: "trial", agreed, retry: 100 };
    const relay = async (name: string, signal = new AbortController().signal) =>
      runRelay({
        ...common,
        relay: name,
        signal,
        transport: openNatsRelay(await connect(name), { run: "trial", name }),
      });
    const process = new AbortController();
    const killed = new Error("killed");
    const first = relay("west", process.signal).catch((error: unknown) => {
      if (error !== killed) throw error;
      return delay(200).then(() => relay("west"));
    });
    const kinds: string[] = [];
    const curator = runCurator({
      plan,
      store: new MemoryStore(),
      transport: openNatsCurator(await connect("curator"), { run: "trial" }),
      onStatus: (status) => {
        kinds.push(status.kind);
        if (status.kind === "closed" && status.round === 1) process.abort(killed);
      },
    });
    const joined = names.map(async (participant) =>
      joinRun({
        ...common,
        participant,
        store: new MemoryStore(),
        data: tasks.select(tasks.names.filter((_, i) => owner(i) === participant)),
        transport: openNatsParticipant(await connect(participant), {
          run: "trial",
          name: participant,
        }),
      }),
    );
    const others = [relay("east"), relay("top")];
    const [models, { ledger }] = await Promise.all([Promise.all(joined), curator]);
    const expected = await local(plan);
    expect(sorted(Object.fromEntries(names.map((name, i) => [name, models[i]!])))).toEqual(
      expected.weights,
    );
    expect(ledger.entries.map(({ event }) => event)).toEqual(expected.charges);
    expect(kinds).not.toContain("without-relay");
    await Promise.all([first, ...others]);
    await server!.kill();
  }, 120_000);
});
