/**
 * The guide's worker with progress runs as printed, in a thread that has what a Web Worker's script is given.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import { loadModel, type Guarantee } from "../../src/index.js";
import { root } from "../package/packed.js";
import { temporaryFolder } from "../temporary.js";
import { blocksOf } from "./code-blocks.js";

const built = join(root, "dist/index.js");

const SCOPE = `import { parentPort } from "node:worker_threads";
globalThis.addEventListener = (kind, listen) => parentPort.on(kind, (data) => listen({ data }));
globalThis.postMessage = (message) => parentPort.postMessage(message);
`;

/** Rows as the guide's page sends them. */
const OWNERS = Array.from({ length: 150 }, (_, task) => ({
  name: `owner-${task}`,
  x: Array.from({ length: 16 }, (_, row) =>
    Array.from({ length: 6 }, (_, k) => Math.sin(1 + task * 7 + row * 13 + k * 29)),
  ),
  y: Array.from({ length: 16 }, (_, row) => Math.cos(task + row * 13)),
}));

type Told = { round: number; rounds: number } & { model: Uint8Array; guarantee: Guarantee } & {
  error: string;
};

describe.skipIf(!existsSync(built))("the guide's worker (skipped where dist/ is not built)", () => {
  let worker: Worker;
  afterEach(() => worker.terminate());

  function start() {
    const [block, ...others] = blocksOf("docs/GUIDE.md").filter(({ code }) =>
      code.startsWith("// worker.js"),
    );
    expect(others).toEqual([]);
    const folder = temporaryFolder();
    const url = JSON.stringify(pathToFileURL(built).href);
    writeFileSync(join(folder, "worker.mjs"), block!.code.replace('"mp-mtl"', url));
    writeFileSync(join(folder, "start.mjs"), `${SCOPE}await import("./worker.mjs");`);
    worker = new Worker(join(folder, "start.mjs"));
    worker.postMessage(OWNERS);
  }

  /** All messages until one is no progress. */
  const messages = () =>
    new Promise<Told[]>((resolve, reject) => {
      const told: Told[] = [];
      worker.on("error", reject);
      worker.on("message", (message: Told) => {
        told.push(message);
        if (!("round" in message)) resolve(told);
      });
    });

  test("shows progress, then sends the model", async () => {
    start();
    const told = await messages();
    const { model, guarantee } = told.at(-1)!;
    expect(told.length).toBeGreaterThan(1);
    expect(told[0]!.rounds).toBeGreaterThanOrEqual(told[0]!.round);
    expect(loadModel(model).taskNames).toHaveLength(150);
    expect(guarantee).toMatchObject({ kind: "joint", epsilon: 1, private: true });
  });

  test("can be stopped", async () => {
    start();
    worker.postMessage("stop");
    const told = await messages();
    expect(told.at(-1)).toEqual({ error: expect.stringMatching(/abort/i) as string });
  });
});
