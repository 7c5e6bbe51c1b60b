/** Trees of relays beside leaf servers: what these pass on, at real servers, and runs over a cluster of three in which everything is killed. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { NatsConnection } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { built } from "../nats/programs.js";
import { Scenario } from "../nats/scenario.js";
import {
  describeThoroughNats,
  makeDeployment,
  type Deployment,
  type NatsServer,
} from "../nats/server.js";
import { Tap } from "../nats/tap.js";
import {
  bitsOfAll,
  flat,
  PATIENT,
  PATIENT_WITHOUT_RELAY,
  restarted,
  serverRestarted,
  survive,
} from "./leaf-run.js";

const TREE = { "site-a": ["north"], "site-b": ["south"], region: ["site-a", "site-b", "east"] };

/** What a relay hears of what is said to it, said until it is heard or a second has passed; `said` is by whom, where, on which subject. */
async function heardOf(
  { authority, credentials }: Deployment,
  relay: readonly [NatsServer, string],
  said: readonly (readonly [NatsServer, string, string])[],
): Promise<string[]> {
  const open = await Promise.all(
    [relay, ...said].map(([server, name]) =>
      connectNats([server.url], { authority, credentials: credentials(name), waitSeconds: 30 }),
    ),
  );
  const [hearing, ...saying] = open as [NatsConnection, ...NatsConnection[]];
  const heard = new Set<string>();
  hearing.subscribe(`mpmtl.trial.to.${relay[1]}.*`, {
    callback: (error, message) => {
      if (!error) heard.add(message.subject.slice("mpmtl.trial.to.".length));
    },
  });
  await hearing.flush();
  for (let tries = 0; tries < 40 && heard.size < said.length; tries++) {
    saying.forEach((connection, i) => {
      connection.publish(`mpmtl.trial.to.${said[i]![2]}`, new Uint8Array(1));
    });
    await delay(50);
  }
  await Promise.all(open.map((connection) => connection.close()));
  return [...heard].sort();
}

describeThoroughNats("what is said to relays, between servers of deploy/nats", () => {
  test.each([
    [
      "each relay has a leaf server",
      [],
      { "site-a": "site-a", "site-b": "site-b", region: "region" },
    ],
    [
      "the relay above has none",
      ["region"],
      { "site-a": "site-a", "site-b": "site-b", region: "" },
    ],
    [
      "one beneath has none",
      ["site-b"],
      { "site-a": "site-a", "site-b": "region", region: "region" },
    ],
    ["nobody has one", ["site-a", "site-b", "region"], { "site-a": "", "site-b": "", region: "" }],
  ] as const)("%s: everybody hears those beneath it, and no others", async (_what, without, at) => {
    const deployment = await makeDeployment(["north", "south", "east"], { relays: TREE, without });
    const { leaves } = deployment;
    const hub = deployment.servers[0]!;
    const servers = [hub, ...Object.values(leaves)];
    await Promise.all(servers.map((server) => server.start()));
    const serverOf = (leaf: string) => leaves[leaf] ?? hub;
    const region = [serverOf(at.region), "region"] as const;
    expect(
      await heardOf(deployment, region, [
        [serverOf(at["site-a"]), "site-a", "region.site-a"],
        [serverOf(at["site-b"]), "site-b", "region.site-b"],
        [serverOf(at.region), "east", "region.east"],
      ]),
    ).toEqual(["region.east", "region.site-a", "region.site-b"]);
    // A participant of a relay without a leaf server is at the other servers.
    const south = serverOf(at["site-b"] === "site-b" ? "site-b" : "");
    expect(
      await heardOf(
        deployment,
        [serverOf(at["site-b"]), "site-b"],
        [[south, "south", "site-b.south"]],
      ),
    ).toEqual(["site-b.south"]);
    // Not those of another relay, nor in another's name.
    expect(
      await heardOf(deployment, region, [
        [south, "south", "region.south"],
        [south, "south", "region.site-b"],
        [serverOf(at["site-a"]), "site-a", "region.site-b"],
      ]),
    ).toEqual([]);
    await Promise.all(servers.map((server) => server.kill()));
  });
});

const ROUNDS = 11;
const scenario = ({ deadline = PATIENT, withoutLeaf = [] as readonly string[] } = {}) =>
  Scenario.make(
    { options: { rounds: ROUNDS }, deadline },
    {
      trust: "secure",
      servers: 3,
      withoutLeaf,
      relays: { "site-a": ["north", "south"], "site-b": ["east"] },
      above: { region: ["site-a", "site-b"] },
    },
  );

describeThoroughNats(
  "curator, join and relays of relays over leaf servers and a cluster of three (needs dist/)",
  () => {
    test.skipIf(!built)(
      "servers, curator, relays of both levels, a participant and leaf servers killed in their turn: the models without relays, to the bit",
      async () => {
        await survive(await scenario(), async (of, round) => {
          const { curator, relays, participants, deployment } = of;
          const { servers, leaves } = deployment;
          const cluster = servers.map((server) => async () => {
            await serverRestarted(server);
            await server.healthy(); // the next one is not killed before
          });
          const strikes = [
            cluster[0]!,
            () => restarted(relays["region"]!),
            () => restarted(relays["site-a"]!),
            cluster[1]!,
            () => restarted(curator),
            () => restarted(participants.south),
            cluster[2]!,
            () => serverRestarted(leaves["site-a"]!),
            () => serverRestarted(leaves["region"]!),
            () => Promise.all([restarted(relays["region"]!), restarted(relays["site-b"]!)]),
          ];
          await strikes[round - 1]!();
        });
      },
      600_000,
    );

    test.skipIf(!built).each([
      ["region", "the relays beneath it give their sums to the curator"],
      ["site-b", "its participants send straight"],
    ])(
      "relay %s killed for good: %s, the same models",
      async (name) => {
        // That of the region connects to the servers in the middle.
        const of = await scenario({ deadline: PATIENT_WITHOUT_RELAY, withoutLeaf: ["region"] });
        const relay = of.relays[name]!;
        await of.start();
        await relay.says("connected");
        const tap = await Tap.open(of.deployment);
        while (tap.round < 2) await delay(5);
        relay.kill();
        await of.finished(of.programs.filter((program) => program !== relay));
        await tap.close();
        expect(bitsOfAll((owner) => of.model(owner))).toEqual(await flat(of));
        const gone = of.curator.stderr.match(/goes on without relay .*/g);
        expect(gone).toEqual([`goes on without relay ${name}: it gave no sum`]);
        for (const [other, { stdout }] of Object.entries(of.relays)) {
          if (other !== name) expect(stdout).toContain(`passed on ${ROUNDS} sums`);
        }
      },
      300_000,
    );
  },
);
