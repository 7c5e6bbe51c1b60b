/**
 * The commands of docs/FEDERATION.md, run as they stand there but for the ports and `npx`.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadModel } from "../../../src/model/index.js";
import { temporaryFolder } from "../../temporary.js";
import { LEFT_OUT, thorough } from "../../thorough.js";
import { built } from "./servers/programs.js";
import { describeNats, freePorts } from "./servers/server.js";

const root = fileURLToPath(new URL("../../../", import.meta.url));

describeNats("the guide to federation (needs dist/)", () => {
  const title = `three organisations in ten minutes${thorough ? "" : ` ${LEFT_OUT}`}`;
  test.skipIf(!built || !thorough)(title, { timeout: 400_000 }, async () => {
    const text = readFileSync(join(root, "docs/FEDERATION.md"), "utf8");
    const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
    expect(blocks.length).toBeGreaterThan(4);
    const [port] = await freePorts(1);
    const script = blocks
      .join("\n")
      .replaceAll("npx mp-mtl", "node node_modules/mp-mtl/dist/cli/main.js")
      .replaceAll("localhost:4222", `localhost:${port}`)
      .replace("--run trial --part", `--port ${port} $&`);
    const folder = temporaryFolder();
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules/mp-mtl"));
    writeFileSync(join(folder, "guide.sh"), script);
    const { status, stdout, stderr } = spawnSync("timeout", ["300", "bash", "-eu", "guide.sh"], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, XDG_STATE_HOME: join(folder, "states") },
    });
    if (status !== 0) spawnSync("bash", ["-c", "kill $(cat server/nats.pid)"], { cwd: folder });
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('run "trial" is done');
    expect(stdout).toContain("joint (3, 0.00001)-DP of each task against all others");
    for (const [who, task] of [
      ["north", "task-1"],
      ["south", "task-2"],
      ["east", "task-3"],
    ] as const) {
      const model = loadModel(readFileSync(join(folder, who, "model.safetensors")));
      expect(model.taskNames).toEqual([task]);
    }
    expect(readFileSync(join(folder, "predictions.csv"), "utf8").split("\n")).toHaveLength(42);
  });
});
