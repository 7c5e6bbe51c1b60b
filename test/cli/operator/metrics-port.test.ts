/** The port with a party's metrics: who asks for what is no path, and on which port it is. */
import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { OptionError } from "../../../src/core/index.js";
import { listening, openMetrics, serve, watching } from "../../../src/cli/operator/metrics-port.js";
import { PartyMonitor } from "../../../src/cli/operator/party-monitor.js";

async function ask(port: number, path: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.end(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  let text = "";
  socket.on("data", (part) => (text += String(part)));
  await once(socket, "close");
  return text;
}

test("a path that is none is not found, and the process goes on", async () => {
  const monitor = new PartyMonitor("run");
  const server = serve((_, { pathname }) => watching(pathname, monitor));
  await listening(server, 0, "127.0.0.1");
  const { port } = server.address() as { port: number };
  for (const path of ["//", "http://[", "///"]) {
    expect(await ask(port, path)).toMatch(/^HTTP\/1.1 404 /);
  }
  expect(await ask(port, "/health")).toMatch(/^HTTP\/1.1 503 /);
  server.close();
});

test("the port 80, which an address of the web leaves out, is the port 80", async () => {
  // Whoever may not listen there is told so.
  const close = await openMetrics("127.0.0.1:80", new PartyMonitor("run")).catch(
    (error: unknown) => {
      expect(error).toBeInstanceOf(OptionError);
    },
  );
  if (!close) return;
  expect(await ask(80, "/health")).toMatch(/^HTTP\/1.1 503 /);
  close();
});
