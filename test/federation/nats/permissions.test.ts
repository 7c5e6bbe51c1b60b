import type { PermissionViolationError } from "@nats-io/nats-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { NatsConnection } from "../../../src/federation/nats/index.js";
import { connectNats } from "../../../src/node/connect-nats.js";
import { describeNats, makeDeployment, type Deployment } from "./servers/server.js";
import { thoroughTest } from "../../thorough.js";

describeNats("permissions of deploy/nats, at a real server", () => {
  let deployment: Deployment;
  const open: NatsConnection[] = [];

  beforeAll(async () => {
    deployment = await makeDeployment(["north", "south"]);
    await deployment.servers[0]!.start();
  });
  afterEach(() => Promise.all(open.splice(0).map((connection) => connection.close())));

  async function connectAs(name: string): Promise<NatsConnection> {
    const connection = await connectNats([deployment.servers[0]!.url], {
      credentials: deployment.credentials(name),
      authority: deployment.authority,
      inboxPrefix: "_INBOX.mpmtl-curator.trial",
    });
    open.push(connection);
    return connection;
  }

  /** The first violation the server reports, and whether the work was let through before a ping returned. */
  async function violation(connection: NatsConnection, work: () => void): Promise<string> {
    const statuses = connection.status();
    const found = (async () => {
      for await (const status of statuses) {
        if (status.type !== "error") continue;
        const { operation, subject } = status.error as PermissionViolationError;
        return `${operation} ${subject}`;
      }
      return "closed";
    })();
    work();
    // The server answers in order: an error of `work` comes before this reply.
    await connection.flush();
    const passed = new Promise<string>((resolve) => setTimeout(resolve, 50, "allowed"));
    return Promise.race([found, passed]);
  }

  const publishing = (subject: string) => (connection: NatsConnection) => {
    connection.publish(subject, new Uint8Array(1));
  };
  const subscribing = (subject: string) => (connection: NatsConnection) => {
    connection.subscribe(subject, { callback: () => undefined });
  };

  test.each([
    ["publish", "mpmtl.trial.in.north", "allowed"],
    ["subscribe", "mpmtl.trial.out.north", "allowed"],
    ["subscribe", "mpmtl.trial.all", "allowed"],
    ["publish", "mpmtl.trial.in.south", "publish"],
    ["publish", "mpmtl.trial.all", "publish"],
    ["publish", "mpmtl.trial.out.south", "publish"],
    ["publish", "mpmtl.trial.out.north", "publish"],
    ["publish", "mpmtl.other.in.north", "publish"],
    ["publish", "$KV.mpmtl_trial.state", "publish"],
    ["publish", "$JS.API.STREAM.MSG.GET.KV_mpmtl_trial", "publish"],
    ["subscribe", "mpmtl.trial.in.north", "subscription"],
    ["subscribe", "mpmtl.trial.in.*", "subscription"],
    ["subscribe", "mpmtl.trial.out.south", "subscription"],
    ["subscribe", "mpmtl.trial.out.*", "subscription"],
    ["subscribe", "mpmtl.>", "subscription"],
    ["subscribe", ">", "subscription"],
    ["subscribe", "$KV.mpmtl_trial.>", "subscription"],
    ["subscribe", "_INBOX.mpmtl-curator.trial.>", "subscription"],
  ])("a participant's %s of %s: %s", async (what, subject, expected) => {
    const connection = await connectAs("north");
    const work = what === "publish" ? publishing(subject) : subscribing(subject);
    const outcome = await violation(connection, () => {
      work(connection);
    });
    expect(outcome).toBe(expected === "allowed" ? "allowed" : `${expected} ${subject}`);
  });

  test.each([
    ["publish", "mpmtl.trial.all", "allowed"],
    ["publish", "mpmtl.trial.out.north", "allowed"],
    ["subscribe", "mpmtl.trial.in.*", "allowed"],
    ["publish", "mpmtl.trial.in.north", "publish"],
    ["subscribe", "mpmtl.trial.out.north", "subscription"],
    ["publish", "mpmtl.other.all", "publish"],
    ["publish", "$JS.API.STREAM.DELETE.KV_mpmtl_trial", "publish"],
  ])("the curator's %s of %s: %s", async (what, subject, expected) => {
    const connection = await connectAs("curator");
    const work = what === "publish" ? publishing(subject) : subscribing(subject);
    const outcome = await violation(connection, () => {
      work(connection);
    });
    expect(outcome).toBe(expected === "allowed" ? "allowed" : `${expected} ${subject}`);
  });

  test("what another publishes as itself does not arrive under a different name", async () => {
    const [curator, north] = [await connectAs("curator"), await connectAs("north")];
    const heard: string[] = [];
    curator.subscribe("mpmtl.trial.in.*", {
      callback: (_error, message) => {
        heard.push(message.subject);
      },
    });
    await curator.flush();
    publishing("mpmtl.trial.in.south")(north);
    publishing("mpmtl.trial.in.north")(north);
    await north.flush();
    await curator.flush();
    expect(heard).toEqual(["mpmtl.trial.in.north"]);
  });

  thoroughTest(
    "nobody comes in without a key, with an unknown one, or past an unknown authority",
    async () => {
      const { url } = deployment.servers[0]!;
      const { authority } = deployment;
      await expect(connectNats([url], { authority })).rejects.toThrow("refused the credentials");
      const stranger = (await makeDeployment(["north"])).credentials("north");
      await expect(connectNats([url], { authority, credentials: stranger })).rejects.toThrow(
        "refused the credentials",
      );
      const credentials = deployment.credentials("north");
      await expect(connectNats([url], { credentials })).rejects.toThrow("no connection");
    },
  );
});
