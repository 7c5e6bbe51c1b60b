/**
 * A web server for a folder, with headers of the test's choice.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
  ".csv": "text/csv",
  ".safetensors": "application/octet-stream",
};

/** A running site. */
export interface Site {
  readonly url: string;
  close(): void;
}

/** Serves `folder` on a free port of this machine. */
export async function serveFolder(
  folder: string,
  headers: Record<string, string> = {},
): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost");
    const path = join(
      folder,
      normalize(pathname.endsWith("/") ? `${pathname}index.html` : pathname),
    );
    readFile(path).then(
      (content) => {
        const type = TYPES[extname(path)] ?? "application/octet-stream";
        response.writeHead(200, { "content-type": type, ...headers }).end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}
