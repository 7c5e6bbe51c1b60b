/** What is told of a curator that ends while it is asked: not nothing. */
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askCurator } from "../../../src/cli/operator/control-socket.js";
import { temporaryFolder } from "../../temporary.js";

const folder = temporaryFolder();

test.each(["", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"])(
  "a curator that ends after %j is said to have ended",
  async (answered) => {
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.write(answered, () => socket.destroy()));
    });
    await new Promise<void>((done) => server.listen(join(folder, ".control.sock"), done));
    await expect(askCurator(folder, "GET", "/status", 2000)).rejects.toThrow(
      "the run's curator ended before it had answered",
    );
    await new Promise((done) => server.close(done));
  },
);
