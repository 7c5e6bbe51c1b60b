/** A cluster that refuses a key: whoever connects is told at once, and does not ask its servers in turn for ever. */
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import { connectNats } from "../../../src/node/index.js";
import { describeNats, makeDeployment, type Deployment } from "./server.js";

/** A key that no server knows. */
const STRANGER = "SUAPXECENQKTHN5Y3JOAY4GICKIISGZGXULPLEELA4RYINWWTC4WVJAKQI";

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
      for (const urls of [servers.map(({ url }) => url), [servers[0]!.url]]) {
        const connecting = connectNats(urls, { authority, ...key });
        const refused = await connecting.catch((error: unknown) => error);
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
