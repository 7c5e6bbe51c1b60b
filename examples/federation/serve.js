/**
 * Bundles the page and serves it on this machine: `node examples/federation/serve.js [PORT]`.
 * @module
 */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));

/** The page's one script, from the library's sources. */
async function bundle() {
  const { outputFiles } = await build({
    entryPoints: [path("join.ts")],
    bundle: true,
    format: "esm",
    minify: true,
    write: false,
    logLevel: "error",
    tsconfig: path("../../tsconfig.json"),
  });
  return outputFiles[0].contents;
}

/** Serves the page until the server is closed; port 0 takes a free one. */
export async function servePage(port = 0) {
  const files = {
    "/": ["text/html", await readFile(path("index.html"))],
    "/join.js": ["text/javascript", await bundle()],
  };
  const server = createServer((request, response) => {
    const [type, content] = files[(request.url ?? "").split("?")[0]] ?? ["", undefined];
    if (content) response.setHeader("content-type", type).end(content);
    else response.writeHead(404).end();
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return server;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const server = await servePage(Number(process.argv[2] ?? 8080));
  console.log(`http://localhost:${server.address().port}`);
}
