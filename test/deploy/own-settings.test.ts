/** What an operator sets for a server by hand stays, whatever `make-credentials.js` is asked for later; pages connect from the addresses that it was given. */
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { connect } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  describeNats,
  freePorts,
  makeCredentials,
  NatsServer,
} from "../federation/nats/servers/server.js";
import { temporaryFolder } from "../temporary.js";

/** The longest message that a server takes, by its own word. */
async function maxPayload(port: number): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  const [greeting] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return Number(/"max_payload":(\d+)/.exec(greeting.toString())![1]);
}

/** What a server answers to a page of this address. */
function answerTo(origin: string, server: NatsServer): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      Origin: origin,
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    };
    const asking = request({
      host: "127.0.0.1",
      port: server.websocketPort,
      headers,
      rejectUnauthorized: false,
    });
    asking.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode!);
    });
    asking.on("response", (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    asking.on("error", reject).end();
  });
}

describeNats("a server's own.conf", () => {
  const folder = temporaryFolder();
  let server: NatsServer;
  afterAll(() => server.kill());

  test("counts in place of server.conf, and is left alone", async () => {
    const [port, pages] = await freePorts(2);
    server = new NatsServer(folder, port!, pages!);
    const base = ["--out", folder, "--run", "trial"];
    const said = makeCredentials([
      ...base,
      "--participants",
      "north",
      "--port",
      String(port),
      "--websocket-port",
      String(pages),
      "--origins",
      "https://a.example.org",
    ]);
    expect(said).toContain(`for clients: tls://localhost:${port}`);
    const own = join(folder, "own.conf");
    expect(readFileSync(own, "utf8")).toMatch(/^# Yours/);
    writeFileSync(own, "max_payload: 64KB\n");
    await server.start();
    expect(await maxPayload(port!)).toBe(65_536);
    expect(makeCredentials([...base, "--participants", "south"])).not.toContain("again");
    expect(readFileSync(own, "utf8")).toBe("max_payload: 64KB\n");
    await server.reload();
    expect(await maxPayload(port!)).toBe(65_536);
  });

  test("pages elsewhere than at --origins are refused, also after another call without it", async () => {
    expect(await answerTo("https://a.example.org", server)).toBe(101);
    expect(await answerTo("https://b.example.org", server)).toBe(403);
  });
});
