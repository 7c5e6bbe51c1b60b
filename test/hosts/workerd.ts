/**
 * A worker in the real workerd: bundled as Cloudflare's tools do it, served on a port of its own.
 * @module
 */
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { commandOf } from "./available.js";

/** A running worker. */
export interface RunningWorker {
  readonly url: string;
  stop(): Promise<void>;
}

/** Another module of the worker, as workerd's configuration names its kinds. */
export interface WorkerModule {
  readonly name: string;
  readonly kind: "data" | "wasm" | "text";
  readonly content: Uint8Array | string;
}

/**
 * Bundles `script` with the export condition "workerd" and serves it.
 * @param folder where the bundle and the configuration are written.
 * @param modules data the script imports by name; left out of the bundle.
 */
export async function serveWorker(
  script: string,
  folder: string,
  modules: readonly WorkerModule[] = [],
): Promise<RunningWorker> {
  mkdirSync(folder, { recursive: true });
  const { metafile } = await build({
    entryPoints: { worker: script },
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "browser",
    conditions: ["workerd", "worker"],
    loader: { ".wasm": "copy" },
    assetNames: "[name]",
    external: modules.map(({ name }) => `./${name}`),
    metafile: true,
    logLevel: "warning",
  });
  const copied = Object.keys(metafile.outputs).flatMap((path) => /[^/]+\.wasm$/.exec(path) ?? []);
  for (const { name, content } of modules) writeFileSync(join(folder, name), content);
  const entries = [
    '(name = "worker.js", esModule = embed "worker.js")',
    ...copied.map((name) => `(name = "${name}", wasm = embed "${name}")`),
    ...modules.map(({ name, kind }) => `(name = "${name}", ${kind} = embed "${name}")`),
  ];
  writeFileSync(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [${entries.join(",\n    ")}],
  compatibilityDate = "2025-09-01",
);
`,
  );
  const [workerd] = commandOf("workerd")!;
  const child = spawn(workerd, ["serve", "config.capnp", "--control-fd=3"], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let problems = "";
  child.stderr!.on("data", (text: Buffer) => (problems += text.toString()));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdio[3] as Readable).on("line", (line) => {
      const report = JSON.parse(line) as { event: string; port?: number };
      if (report.event === "listen") resolve(report.port!);
    });
    child.on("exit", (code) => reject(new Error(`workerd ended with ${code}: ${problems}`)));
    child.on("error", reject);
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        child.on("exit", () => resolve());
        child.kill();
      }),
  };
}
