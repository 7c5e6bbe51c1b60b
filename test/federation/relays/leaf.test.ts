/** Relays beside leaf servers: what the leaf passes on, at real servers, and runs in processes of their own that are killed. */
import type { PermissionViolationError } from "@nats-io/nats-core";
import { X509Certificate } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { NatsConnection } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { built } from "../nats/servers/programs.js";
import { Scenario } from "../nats/servers/scenario.js";
import {
  describeThoroughNats,
  makeCredentials,
  makeDeployment,
  type Deployment,
  type NatsServer,
} from "../nats/servers/server.js";
import { until } from "../nats/servers/until.js";
import { PATIENT, serverRestarted, survive } from "./leaf-run.js";

const connect = ({ authority, credentials }: Deployment, { url }: NatsServer, name: string) =>
  connectNats([url], {
    authority,
    credentials: credentials(name),
    waitSeconds: 30,
    inboxPrefix: "_INBOX.mpmtl-curator.trial",
  });

/** Subjects and senders of what a connection hears on a subject. */
function heard(connection: NatsConnection, subject: string): string[] {
  const all: string[] = [];
  connection.subscribe(subject, {
    callback: (error, message) => {
      if (!error) all.push(`${message.subject} ${Buffer.from(message.data).toString()}`);
    },
  });
  return all;
}
const say = (connection: NatsConnection, subject: string, text: string) =>
  connection.publish(subject, new Uint8Array(Buffer.from(text)));

describeThoroughNats("a leaf server of deploy/nats", () => {
  test("passes on what its relay and participants may say and hear, and no more, whatever its own configuration says", async () => {
    const members = Array.from({ length: 20 }, (_, i) => `m${i}`);
    const deployment = await makeDeployment([...members, "east"], {
      relays: { "site-a": members },
    });
    const [hub] = deployment.servers;
    const leaf = deployment.leaves["site-a"]!;
    // The site's operator lets somebody speak in the account that is connected with the others.
    const path = join(leaf.folder, "users.conf");
    const users = readFileSync(path, "utf8");
    const forged = users.replace(
      '"mpmtl_trial": {',
      '"mpmtl_trial": {"users":[{"user":"eve","password":"eve"}],',
    );
    expect(forged).not.toBe(users);
    writeFileSync(path, forged);
    await hub!.start();
    await leaf.start();
    const open: NatsConnection[] = [];
    const join_ = async (server: NatsServer, name: string) => {
      const connection = await connect(deployment, server, name);
      open.push(connection);
      return connection;
    };
    const [curator, east, relay] = [
      await join_(hub!, "curator"),
      await join_(hub!, "east"),
      await join_(leaf, "site-a"),
    ];
    const own = await Promise.all(members.map((name) => join_(leaf, name)));
    const { connect: plain } = await import("@nats-io/transport-node");
    const eve = (await plain({
      servers: leaf.url,
      user: "eve",
      pass: "eve",
      tls: { ca: deployment.authority },
    })) as unknown as NatsConnection;
    open.push(eve);
    const atCurator = heard(curator, "mpmtl.trial.in.*");
    const atRelay = heard(relay, "mpmtl.trial.to.site-a.*");
    const atEast = heard(east, "mpmtl.trial.out.east");
    const atMembers = own.map((connection, i) => heard(connection, `mpmtl.trial.out.m${i}`));
    const toAll = own.map((connection) => heard(connection, "mpmtl.trial.all"));
    const atEve = heard(eve, "mpmtl.>");
    await Promise.all(open.map((connection) => connection.flush()));
    // What is wanted is told between servers after it is told to the one.
    const [first] = own;
    for (let tries = 0; atCurator.length === 0 || toAll.some((all) => all.length === 0); tries++) {
      if (tries > 200) throw new Error(`the servers are not connected\n${leaf.log}\n${hub!.log}`);
      say(first!, "mpmtl.trial.in.m0", "there?");
      say(curator, "mpmtl.trial.all", "there?");
      await delay(50);
    }
    own.forEach((connection, i) => {
      say(connection, `mpmtl.trial.in.m${i}`, `from m${i}`);
      say(connection, `mpmtl.trial.to.site-a.m${i}`, `for the relay, of m${i}`);
      say(curator, `mpmtl.trial.out.m${i}`, `to m${i}`);
    });
    say(relay, "mpmtl.trial.in.site-a", "a sum");
    say(curator, "mpmtl.trial.out.east", "to east");
    say(eve, "mpmtl.trial.in.east", "forged");
    say(eve, "mpmtl.trial.out.east", "forged");
    say(eve, "mpmtl.trial.all", "forged");
    await until(() => atRelay.length === 20 && atMembers.every((all) => all.length === 1));
    await until(() => atCurator.filter((text) => !text.includes("there?")).length >= 21);
    await delay(200);
    const said = atCurator.filter((text) => !text.includes("there?")).sort();
    const expected = [
      ...members.map((name) => `mpmtl.trial.in.${name} from ${name}`),
      "mpmtl.trial.in.site-a a sum",
    ];
    expect(said).toEqual(expected.sort());
    expect(atRelay.sort()).toEqual(
      members.map((name) => `mpmtl.trial.to.site-a.${name} for the relay, of ${name}`).sort(),
    );
    expect(atMembers).toEqual(members.map((name) => [`mpmtl.trial.out.${name} to ${name}`]));
    expect(atEast).toEqual(["mpmtl.trial.out.east to east"]);
    // Of other places' messages, the site's operator gets none, nor what its participants tell the relay.
    expect(atEve.filter((text) => text.includes("east to east"))).toEqual([]);
    expect(atEve.filter((text) => text.startsWith("mpmtl.trial.to."))).toEqual([]);
    await Promise.all(open.map((connection) => connection.close()));
    await leaf.kill();
    await hub!.kill();
  });
});

describeThoroughNats("keys and certificates of relays", () => {
  const refused = async (connection: NatsConnection, work: () => void) => {
    const statuses = connection.status();
    const found = (async () => {
      for await (const status of statuses) {
        if (status.type === "error") return (status.error as PermissionViolationError).subject;
      }
      return "closed";
    })();
    work();
    await connection.flush();
    return Promise.race([found, delay(100, "allowed")]);
  };

  test("let a relay hear its own participants alone, and each of these speak to it under its own name", async () => {
    const deployment = await makeDeployment(["north", "south", "east"], {
      relays: { "site-a": ["north", "south"] },
    });
    const [hub] = deployment.servers;
    await hub!.start();
    const outcomes: Record<string, string> = {};
    for (const [who, what, subject] of [
      ["north", "say", "to.site-a.north"],
      ["north", "say", "to.site-a.south"],
      ["east", "say", "to.site-a.east"],
      ["site-a", "hear", "to.site-a.*"],
      ["site-a", "hear", "in.*"],
      ["site-a", "hear", "out.north"],
      ["site-a", "say", "in.site-a"],
      ["site-a", "say", "in.north"],
      ["north", "hear", "to.site-a.south"],
      ["curator", "hear", "to.site-a.*"],
    ] as const) {
      const connection = await connect(deployment, hub!, who);
      const on = `mpmtl.trial.${subject}`;
      outcomes[`${who} ${what} ${subject}`] = await refused(connection, () => {
        if (what === "say") say(connection, on, "x");
        else heard(connection, on);
      });
      await connection.close();
    }
    const allowed = Object.entries(outcomes).filter(([, outcome]) => outcome === "allowed");
    expect(allowed.map(([what]) => what)).toEqual([
      "north say to.site-a.north",
      "site-a hear to.site-a.*",
      "site-a say in.site-a",
    ]);
    await hub!.kill();
  });

  test("let no leaf pass for a server, and none be made of what is not in the run", async () => {
    const { folder } = await makeDeployment(["north"], { relays: { "site-a": ["north"] } });
    const of = (...path: string[]) => new X509Certificate(readFileSync(join(folder, ...path)));
    const leaf = of("leaf-trial-site-a", "tls", "site-a.trial.leaf.pem");
    // A client's certificate of the servers' authority would open the port between servers of a cluster.
    expect(leaf.verify(of("tls", "authority.pem").publicKey)).toBe(false);
    expect(leaf.verify(of("tls", "leaves", "authority.pem").publicKey)).toBe(true);
    const shown = of("leaf-trial-site-a", "tls", "server.pem");
    expect(shown.verify(of("tls", "authority.pem").publicKey)).toBe(true);
    expect(shown.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]); // of a server only
    const own = readdirSync(join(folder, "leaf-trial-site-a", "tls")).sort();
    expect(own).toEqual([
      "authority.pem",
      "server-key.pem",
      "server.pem",
      "site-a.trial.leaf-key.pem",
      "site-a.trial.leaf.pem",
    ]);
    const make =
      (...flags: string[]) =>
      () =>
        makeCredentials(["--out", folder, "--run", "trial", ...flags]);
    expect(make("--relay", "site-b=south")).toThrow("knows no participant or relay south");
    expect(make("--relay", "north=north")).toThrow("north is a participant already");
    expect(make("--relay", "site-a=site-a")).toThrow("cannot add up its sums");
    expect(make("--relay", "region=site-a")).not.toThrow();
    expect(make("--relay", "site-a=region")).toThrow("site-a sends to region, or by way of others");
    expect(make("--relay", "site-b")).toThrow("expected NAME=A,B");
    expect(make("--relay", "site-b=north", "--leaf", "nowhere")).toThrow("expected HOST:PORT");
  });
});

const RELAYS = { "site-a": ["north", "south"], "site-b": ["east"] } as const;
const ROUNDS = 5;

describeThoroughNats("curator, join and relay over leaf servers (needs dist/)", () => {
  // That the others are killed, over a cluster, and relays for good, is tried with trees of relays: `tree-leaf.test.ts`.
  test.skipIf(!built)(
    "seven processes and three servers, of which the hub is killed and started again in every other round: the models without relays, to the bit",
    async () => {
      const scenario = await Scenario.make(
        { options: { rounds: ROUNDS }, deadline: PATIENT },
        { trust: "secure", relays: RELAYS },
      );
      const { relays } = await survive(scenario, async ({ server }, round) => {
        if (round % 2 === 1) await serverRestarted(server);
      });
      for (const relay of Object.values(relays))
        expect(relay.stdout).toContain(`passed on ${ROUNDS} sums`);
    },
    300_000,
  );
});
