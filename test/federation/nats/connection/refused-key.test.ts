/** A cluster that refuses a key: whoever connects is told at once, and does not ask its servers in turn for ever. */
import { setTimeout as delay } from "node:timers/promises";
import { AuthorizationError, type ConnectionOptions } from "@nats-io/nats-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OptionError } from "../../../../src/core/index.js";
import { connectChecked } from "../../../../src/federation/nats/connection/connect-options.js";
import { connectNats } from "../../../../src/node/index.js";
import { describeNats, makeDeployment, type Deployment } from "../servers/server.js";

/** A key that no server knows. */
const STRANGER = "SUAPXECENQKTHN5Y3JOAY4GICKIISGZGXULPLEELA4RYINWWTC4WVJAKQI";

test("a refusal is believed the second time, other errors at once", async () => {
  const refusal = new AuthorizationError("Authorization Violation");
  const connect = (errors: Error[]) => {
    const asked: ConnectionOptions[] = [];
    const connected = connectChecked((options) => {
      asked.push(options);
      const error = errors.shift();
      return error ? Promise.reject(error) : Promise.resolve({ close: () => Promise.resolve() });
    }, {});
    return connected.then(
      () => asked.length,
      (error: unknown) => [error, asked.length],
    );
  };
  expect(await connect([])).toBe(2);
  expect(await connect([refusal])).toBe(3);
  expect(await connect([refusal, refusal])).toEqual([refusal, 2]);
  const absent = new Error("ECONNREFUSED");
  expect(await connect([absent])).toEqual([absent, 1]);
});

describeNats("a cluster of three", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await makeDeployment(["north"], { size: 3, page: false });
    await Promise.all(deployment.servers.map((server) => server.start()));
    // They name each other to clients once they are connected.
    await delay(2000);
  }, 60_000);
  afterAll(() => Promise.all(deployment.servers.map((server) => server.kill())));

  test.each([
    ["a key that it does not know", { credentials: STRANGER }],
    ["no key", {}],
  ])(
    "refuses %s once",
    async (_what, key) => {
      const { authority, servers } = deployment;
      const all = servers.map(({ url }) => url);
      const connecting = [all, all.slice(0, 1)].map((urls) =>
        connectNats(urls, { authority, ...key }).catch((error: unknown) => error),
      );
      for (const refused of await Promise.all(connecting)) {
        expect(refused).toBeInstanceOf(OptionError);
        expect((refused as Error).message).toContain("refused the credentials");
      }
    },
    20_000,
  );

  test("takes one that it knows", async () => {
    const { authority, servers, credentials } = deployment;
    const options = { authority, credentials: credentials("north") };
    const connection = await connectNats([servers[0]!.url], options);
    expect(connection.isClosed()).toBe(false);
    await connection.close();
  });
});
