/**
 * Runs test/property/main.ts: `npm run property`.
 */
import { build } from "esbuild";

const file = (path) => new URL(`../${path}`, import.meta.url);
const outfile = file("build/property.mjs").pathname;
await build({
  entryPoints: [file("test/property/main.ts").pathname],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  alias: { "#kernels": file("src/core/builds/packed-bytes.ts").pathname },
  logLevel: "error",
});
await import(outfile);
