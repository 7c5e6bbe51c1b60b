/**
 * Certificates of a live cluster of three replaced as docs/OPERATIONS.md has it: clients' by another authority's, all of them
 * by new ones, and the authority itself. After each step every server is started again, so that old routes do not hide new
 * certificates that would not do.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFailed, test } from "vitest";
import {
  openNatsCurator,
  openNatsParticipant,
  openRunBucket,
} from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { temporaryFolder } from "../../temporary.js";
import {
  describeThoroughNats,
  makeCredentials,
  makeDeployment,
  type Deployment,
} from "./servers/server.js";
import { until } from "./servers/until.js";

/** Half a minute alone; elections after a server's end take longer on a machine that does other things. */
const PATIENCE = 300_000;

function openssl(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync("openssl", args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** An authority that clients know already, and its certificate, good for a server only. */
function publicCertificate(): string {
  const folder = temporaryFolder();
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const days = ["-days", "10"];
  spawnSync("mkdir", ["-p", folder]);
  openssl(
    folder,
    "req",
    "-x509",
    ...key,
    ...days,
    "-subj",
    "/CN=public",
    "-keyout",
    "a.key",
    "-out",
    "a.pem",
  );
  openssl(
    folder,
    "req",
    "-new",
    ...key,
    "-subj",
    "/CN=localhost",
    "-keyout",
    "s.key",
    "-out",
    "s.csr",
  );
  writeFileSync(join(folder, "ext"), "subjectAltName=DNS:localhost\nextendedKeyUsage=serverAuth\n");
  openssl(
    folder,
    ...["x509", "-req", "-in", "s.csr", "-CA", "a.pem", "-CAkey", "a.key", "-CAcreateserial"],
    ...[...days, "-extfile", "ext", "-out", "s.pem"],
  );
  return folder;
}

describeThoroughNats("certificates of a live cluster", () => {
  let deployment: Deployment;
  const closers: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    deployment = await makeDeployment(["north"], { size: 3, page: false });
    await Promise.all(deployment.servers.map((server) => server.start()));
    onTestFailed(() => {
      for (const { log } of deployment.servers) process.stderr.write(`${log.slice(-4000)}\n`);
    });
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
    for (const server of deployment.servers) await server.kill();
  });

  const change = (...flags: string[]) => makeCredentials(["--out", deployment.folder, ...flags]);
  const authorityNow = () => readFileSync(deployment.authorityPath, "utf8");

  async function reloadAll() {
    for (const server of deployment.servers) await server.reload();
  }

  /** One server after the other, each when the one before has caught up: with two away a cluster of three has no quorum. */
  async function restartAll() {
    for (const server of deployment.servers) {
      await server.kill();
      await server.start();
      await server.healthy();
    }
  }

  /** All at once: one election instead of three, where it does not matter what the others show meanwhile. */
  async function restartTogether() {
    const { servers } = deployment;
    await Promise.all(servers.map((server) => server.kill()));
    await Promise.all(servers.map((server) => server.start()));
    await Promise.all(servers.map((server) => server.healthy()));
  }

  const connect = async (name: string, at: readonly number[], authority: string) => {
    const connection = await connectNats(
      at.map((i) => deployment.servers[i]!.url),
      {
        credentials: deployment.credentials(name),
        authority,
        inboxPrefix: "_INBOX.mpmtl-curator.trial",
        waitSeconds: 10,
      },
    );
    closers.push(() => connection.close());
    return connection;
  };

  /** A broadcast and an upload go from server to server, and a record comes to lie on three. */
  async function works(authority: string) {
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const curator = openNatsCurator(await connect("curator", [from], authority), {
        run: "trial",
      });
      const north = openNatsParticipant(await connect("north", [to], authority), {
        run: "trial",
        name: "north",
      });
      const heard = { curator: 0, north: 0 };
      curator.listen({ message: () => heard.curator++, link: () => undefined });
      north.listen({ message: () => heard.north++, link: () => undefined });
      // A route that was just made learns of subscriptions a moment later.
      while (heard.curator === 0 || heard.north === 0) {
        await curator.broadcast(new Uint8Array(5));
        await north.send(new Uint8Array(5));
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await curator.close();
      await north.close();
    }
    const connection = await connect("curator", [0, 1, 2], authority);
    const store = await openRunBucket(connection, "mpmtl_trial", { replicas: 3 });
    const before = (await store.load()).length;
    await store.append(new Uint8Array(10));
    expect((await store.load()).length).toBe(before + 1);
    await connection.close();
  }

  test(
    "a server's certificate of a public authority leaves the routes as they are",
    async () => {
      await works(deployment.authority);
      const folder = publicCertificate();
      for (const { folder: home } of deployment.servers) {
        copyFileSync(join(folder, "s.pem"), join(home, "tls/server.pem"));
        copyFileSync(join(folder, "s.key"), join(home, "tls/server-key.pem"));
      }
      await reloadAll();
      const known = readFileSync(join(folder, "a.pem"), "utf8");
      await works(known);
      await restartTogether();
      await works(known);
      // Ours are made anew, the other authority's is left alone.
      change("--new-certificates");
      await reloadAll();
      await restartTogether();
      await works(known);
    },
    PATIENCE,
  );

  test(
    "new certificates, then a new authority: links stay up, and at the end the old one is worth nothing",
    async () => {
      const old = deployment.authority;
      const curator = openNatsCurator(await connect("curator", [0], old), { run: "trial" });
      const north = openNatsParticipant(await connect("north", [1], old), {
        run: "trial",
        name: "north",
      });
      const heard = { curator: 0, downs: 0 };
      const link = (state: string) => (heard.downs += state === "down" ? 1 : 0);
      curator.listen({ message: () => heard.curator++, link });
      north.listen({ message: () => undefined, link });
      closers.push(
        () => curator.close(),
        () => north.close(),
      );
      const speaks = async () => {
        const before = heard.curator;
        await north.send(new Uint8Array(5));
        await until(() => heard.curator > before);
      };
      await new Promise((resolve) => setTimeout(resolve, 100));
      await speaks();

      const certificate = (i: number) =>
        readFileSync(join(deployment.servers[i]!.folder, "tls/route.pem"), "utf8");
      const first = certificate(1);
      change("--new-certificates");
      expect(certificate(1)).not.toBe(first);
      await reloadAll();
      await speaks();
      await works(old);

      change("--new-authority");
      await reloadAll();
      await speaks();
      const both = authorityNow();
      await works(old); // who has not heard of it yet
      await works(both);

      change("--new-certificates");
      await reloadAll();
      await speaks();
      await works(both);

      change("--drop-old-authority");
      await reloadAll();
      await speaks();
      expect(heard.downs).toBe(0);
      await restartAll();
      await works(authorityNow());
      await expect(connect("north", [0], old)).rejects.toThrow("no connection");
    },
    PATIENCE,
  );
});
