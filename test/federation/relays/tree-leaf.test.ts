/** Trees of relays beside leaf servers: what these pass on, at real servers, and runs over a cluster of three in which everything is killed. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { NatsConnection } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { built } from "../nats/servers/programs.js";
import { Scenario } from "../nats/servers/scenario.js";
import {
  describeThoroughNats,
  makeDeployment,
  type Deployment,
  type NatsServer,
} from "../nats/servers/server.js";
import { Tap } from "../nats/servers/tap.js";
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

/** Somebody, and the server that it is connected to. */
type Place = readonly [NatsServer, string];

/**
 * What relays hear of what is said to them, and by whom: said until so much is heard or two seconds have passed, and for half a second more.
 * `said` is by whom, where, on which subject.
 */
async function heardOf(
  { authority, credentials }: Deployment,
  relays: readonly Place[],
  said: readonly (readonly [...Place, subject: string])[],
  enough: number,
): Promise<string[]> {
  const connections = new Map<string, NatsConnection>();
  await Promise.all(
    [...relays, ...said].map(async ([server, name]) => {
      if (connections.has(name)) return;
      connections.set(name, undefined!); // nobody connects twice
      const options = { authority, credentials: credentials(name), waitSeconds: 30 };
      connections.set(name, await connectNats([server.url], options));
    }),
  );
  const heard = new Set<string>();
  for (const [, relay] of relays) {
    const connection = connections.get(relay)!;
    connection.subscribe(`mpmtl.trial.to.${relay}.*`, {
      callback: (error, { subject, data }) => {
        const by = Buffer.from(data).toString();
        if (!error) heard.add(`${subject.slice("mpmtl.trial.to.".length)} by ${by}`);
      },
    });
    await connection.flush();
  }
  for (let [tries, more] = [0, 0]; tries < 40 && more < 10; tries++) {
    for (const [, name, subject] of said) {
      connections.get(name)!.publish(`mpmtl.trial.to.${subject}`, Buffer.from(name));
    }
    await delay(50);
    if (heard.size >= enough) more++;
  }
  await Promise.all([...connections.values()].map((connection) => connection.close()));
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
    const [region, site] = [serverOf(at.region), serverOf(at["site-b"])];
    // A participant of a relay without a leaf server is at the other servers.
    const south = serverOf(at["site-b"] === "site-b" ? "site-b" : "");
    const allowed = [
      [serverOf(at["site-a"]), "site-a", "region.site-a"],
      [site, "site-b", "region.site-b"],
      [region, "east", "region.east"],
      [south, "south", "site-b.south"],
    ] as const;
    const others = [
      [south, "south", "region.south"],
      // Nor in another's name.
      [south, "south", "region.site-b"],
      [serverOf(at["site-a"]), "site-a", "region.site-b"],
    ] as const;
    const relays = [
      [region, "region"],
      [site, "site-b"],
    ] as const;
    const heard = await heardOf(deployment, relays, [...allowed, ...others], allowed.length);
    expect(heard).toEqual(allowed.map(([, name, subject]) => `${subject} by ${name}`).sort());
    await Promise.all(servers.map((server) => server.kill()));
  });
});

const ROUNDS = 6;
const scenario = () =>
  Scenario.make(
    { options: { rounds: ROUNDS }, deadline: PATIENT },
    {
      trust: "secure",
      servers: 3,
      relays: { "site-a": ["north", "south"], "site-b": ["east"] },
      above: { region: ["site-a", "site-b"] },
    },
  );

/** In its turn, each of these is killed, and started again. */
const strikesAt = ({ curator, relays, participants, deployment }: Scenario) => {
  const { servers, leaves } = deployment;
  const [first, second, third] = servers.map((server) => () => serverRestarted(server));
  const leaf = (name: string) => () => serverRestarted(leaves[name]!);
  const relay = (name: string) => () => restarted(relays[name]!);
  return [
    [first!, relay("site-a")],
    [leaf("site-a"), relay("region")],
    [second!, () => restarted(curator)],
    [leaf("region"), () => restarted(participants.south)],
    [third!, relay("region"), relay("site-b")],
  ];
};

describeThoroughNats(
  "curator, join and relays of relays over leaf servers and a cluster of three (needs dist/)",
  () => {
    test.skipIf(!built)(
      "servers, curator, relays of both levels, a participant and leaf servers killed, two or three in every round: the models without relays, to the bit",
      async () => {
        const of = await scenario();
        const strikes = strikesAt(of);
        await survive(of, async (_of, round) => {
          await Promise.all(strikes[round - 1]!.map((strike) => strike()));
        });
      },
      600_000,
    );

    test.skipIf(!built)(
      "relays of both levels killed for good: those beneath send past them, and the models are the same",
      async () => {
        const of = await Scenario.make(
          { options: { rounds: 4 }, deadline: PATIENT_WITHOUT_RELAY },
          {
            trust: "secure",
            servers: 3,
            relays: { "site-a": ["north", "south"], "site-b": ["east"] },
            // Two trees: of one the relay above is lost, of the other the one beneath.
            above: { region: ["site-a"], other: ["site-b", "west"] },
            // That of the region connects to the servers in the middle.
            withoutLeaf: ["region", "other"],
          },
        );
        const gone = ["region", "site-b"].map((name) => of.relays[name]!);
        await of.start();
        await Promise.all(gone.map((relay) => relay.says("connected")));
        const tap = await Tap.open(of.deployment);
        while (tap.round < 2) await delay(5);
        for (const relay of gone) relay.kill();
        await of.finished(of.programs.filter((program) => !gone.includes(program)));
        await tap.close();
        expect(bitsOfAll((owner) => of.model(owner))).toEqual(await flat(of));
        const without = of.curator.stderr.match(/goes on without relay .*/g);
        expect(without?.sort()).toEqual([
          "goes on without relay region: it gave no sum",
          "goes on without relay site-b: it gave no sum",
        ]);
        for (const name of ["site-a", "other"]) {
          expect(of.relays[name]!.stdout).toContain("passed on 4 sums");
        }
      },
      300_000,
    );
  },
);
