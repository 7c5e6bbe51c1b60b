/** Which servers will do, and that a deployment opens no port that it was not asked for. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requireServer } from "../../../../src/federation/nats/connection/server-version.js";
import { describeNats, makeDeployment } from "../servers/server.js";

test.each([
  // version, by TCP, from a page: the fixed versions are those of the advisory
  ["2.9.9", false, false],
  ["2.9.10", true, false],
  ["2.10.29", true, false],
  ["2.11.13", true, false],
  ["2.11.14", true, true],
  ["2.12.0", true, false],
  ["2.12.4", true, false],
  ["2.12.5-RC.1", true, true],
  ["2.13.0", true, true],
  ["3.0.0", true, true],
  ["1.4.1", false, false],
  ["", false, false],
  [undefined, false, false],
])("a server of version %s: by TCP %s, from a page %s", (version, tcp, page) => {
  const passes = (over: Parameters<typeof requireServer>[1]) => {
    try {
      requireServer(version, over);
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: "OPTION" });
      return false;
    }
  };
  expect(passes({ websocket: false })).toBe(tcp);
  expect(passes({ websocket: true })).toBe(page);
  expect(passes({ websocket: true, oldServer: true })).toBe(tcp);
});

describeNats("a deployment", () => {
  test("has a port for pages only where one was asked for", async () => {
    const configuration = (folder: string) => readFileSync(join(folder, "server.conf"), "utf8");
    const without = await makeDeployment(["north"], { page: false });
    expect(configuration(without.folder)).not.toMatch(/^websocket/m);
    await without.servers[0]!.start();
    expect(without.servers[0]!.log).not.toContain("for websocket clients");
    const { folder } = await makeDeployment(["north"]);
    expect(configuration(folder)).toMatch(/^websocket/m);
  });
});
