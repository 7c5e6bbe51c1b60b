/**
 * A server that gives up waiting for a key, as one does with which a busy machine is late, and one that refuses it. The server
 * here is a few lines of the protocol: a real one is late when it pleases.
 */
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openNatsParticipant } from "../../../../src/federation/nats/index.js";
import { connectNats } from "../../../../src/node/index.js";
import { thoroughTest } from "../../../thorough.js";

const LATE = "-ERR 'Authentication Timeout'\r\n";
const REFUSED = "-ERR 'Authorization Violation'\r\n";
const INFO = { server_id: "x", version: "2.12.0", proto: 1, max_payload: 2 ** 20, headers: true };

let server: Server;
let url: string;
let sockets: Socket[];
/** What the next connections are answered; after that they are let in. */
let answers: string[];

beforeEach(async () => {
  [sockets, answers] = [[], []];
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.write(`INFO ${JSON.stringify(INFO)}\r\n`);
    let greeted = false;
    socket.on("data", (bytes) => {
      const text = bytes.toString();
      if (text.includes("CONNECT") && !greeted) {
        greeted = true;
        const answer = answers.shift();
        if (answer !== undefined) {
          socket.end(answer);
          return;
        }
      }
      for (const _ of text.matchAll(/PING\r\n/g)) socket.write("PONG\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `nats://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const until = async (what: () => boolean) => {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 10));
};

test("a first connection that is late is tried again", async () => {
  answers = [LATE, LATE];
  const connection = await connectNats([url], { waitSeconds: 30 });
  expect(answers).toEqual([]);
  await connection.close();
});

test("one that stays late ends with a word that says so, not with one about credentials", async () => {
  answers = Array.from({ length: 99 }, () => LATE);
  await expect(connectNats([url])).rejects.toThrow(
    /no connection to .*: it gave up waiting for the key; is it, or this machine, too busy\?$/,
  );
});

thoroughTest(
  "a connection that is lost and late thrice comes back; one that is refused twice ends",
  async () => {
    const connection = await connectNats([url]);
    const transport = openNatsParticipant(connection, { run: "r", name: "north" });
    let link = "";
    let ended: Error | undefined;
    void transport.closed.then((error) => (ended = error));
    transport.listen({ message: () => undefined, link: (state) => (link = state) });
    expect(link).toBe("up");
    answers = [LATE, LATE, LATE];
    sockets.at(-1)!.destroy();
    await until(() => link === "down");
    await until(() => link === "up" || ended !== undefined);
    expect(ended).toBeUndefined();
    expect(answers).toEqual([]);

    answers = [REFUSED, REFUSED];
    sockets.at(-1)!.destroy();
    await until(() => ended !== undefined);
    expect(ended!.message).toContain("takes these credentials no longer");
  },
);
