/**
 * `npm run page`: builds the playground and serves it on this machine.
 * `npm run page -- --build DIR` only writes the folder; `-- --dev` serves it from its sources.
 * `-- --port N` chooses the port.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build, createServer, preview } from "vite";

const configFile = fileURLToPath(new URL("../page/vite.config.ts", import.meta.url));

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        build: { type: "string" },
        dev: { type: "boolean", default: false },
        port: { type: "string", default: "4173" },
      },
    });
    return values;
  } catch (error) {
    console.error(`${error.message}\nusage: npm run page [-- --build DIR | --dev] [--port N]`);
    process.exit(2);
  }
}

const { build: folder, dev, port } = readArguments();
const server = { port: Number(port), host: "localhost" };
if (dev) {
  const running = await createServer({ configFile, server });
  await running.listen();
  running.printUrls();
} else {
  const outDir = folder === undefined ? undefined : resolve(folder);
  // What else is in a folder of the user's stays there.
  const where = outDir ? { build: { outDir, emptyOutDir: false } } : {};
  await build({ configFile, logLevel: "warn", ...where });
  if (outDir) {
    console.log(`The page is in ${outDir}; any static web server can serve it.`);
  } else {
    const running = await preview({ configFile, preview: server });
    console.log(`The page is at ${running.resolvedUrls.local[0]} (stop with Ctrl+C).`);
  }
}
