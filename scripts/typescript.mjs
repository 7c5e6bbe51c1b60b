/**
 * Runs a program of test/ that is written in TypeScript: node scripts/typescript.mjs FOLDER [PART...] -- ARGUMENTS
 * bundles test/FOLDER/main.ts, and each other PART beside it, into build/ and runs main.
 */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [folder, ...rest] = process.argv.slice(2);
const parts = rest.slice(0, Math.max(0, rest.indexOf("--")));
process.argv.splice(2, process.argv.length, ...rest.slice(rest.indexOf("--") + 1));

const file = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const names = ["main", ...parts];
const bundled = (name) => file(`build/${name === "main" ? folder : `${folder}-${name}`}.mjs`);
await Promise.all(
  names.map((name) =>
    build({
      entryPoints: [file(`test/${folder}/${name}.ts`)],
      outfile: bundled(name),
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: "node20",
      alias: { "#kernels": file("src/core/builds/packed-bytes.ts") },
      logLevel: "error",
    }),
  ),
);
await import(bundled("main"));
