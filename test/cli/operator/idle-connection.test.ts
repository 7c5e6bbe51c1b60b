/** A party that has ended is gone, though somebody is still connected to its port with metrics and asks nothing. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { built, Program } from "../../federation/nats/servers/programs.js";
import { freePorts } from "../../federation/nats/servers/server.js";

test.skipIf(!built)(
  "a connection to the port with metrics keeps no process alive (needs dist/)",
  async () => {
    const [port, nobody] = (await freePorts(2)) as [number, number];
    const server = ["--nats", `nats://localhost:${nobody}`, "--wait", "1"];
    const relay = new Program("relay", ["relay", ...server, "--name", "west", "--metrics", `127.0.0.1:${port}`]); // prettier-ignore
    relay.start();
    await relay.says("trying for 1 s");
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      expect(await relay.finished, relay.stderr).toBe(1);
      expect(relay.stderr).toContain("no connection to");
    } finally {
      socket.destroy();
      relay.kill();
    }
  },
);
