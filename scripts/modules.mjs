/**
 * src/ as JavaScript in build/modules/, one file a module, for benches and tests. Types are left out and nothing else is done,
 * so it takes a fraction of a second, and the TypeScript compiler is asked for declarations alone.
 */
import { build } from "esbuild";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = join(root, "src");

await build({
  absWorkingDir: root,
  entryPoints: readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !/\.d\.(\w+\.)?ts$/.test(path))
    .map((path) => join(sources, path)),
  outbase: sources,
  outdir: join(root, "build", "modules"),
  format: "esm",
  target: "es2022",
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  legalComments: "inline",
  logLevel: "warning",
});
