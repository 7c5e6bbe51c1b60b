/**
 * The declarations as a strict TypeScript project sees them: every entry point type-checks without
 * `skipLibCheck`, and the browser ones without the types of Node.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../temporary.js";
import { built, installPacked, pack, root } from "./packed.js";
import { LEFT_OUT, thorough } from "../thorough.js";

describe.skipIf(!built || !thorough)(`the packed declarations ${LEFT_OUT}`, () => {
  let project: string;
  beforeAll(() => {
    project = temporaryFolder();
    installPacked(pack(temporaryFolder()), project);
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  });

  function check(source: string, module: "NodeNext" | "ESNext", types: string[]): string {
    writeFileSync(join(project, "use.ts"), source);
    const compilerOptions = {
      target: "ES2022",
      lib: ["ES2023", "DOM", "DOM.AsyncIterable"],
      module,
      moduleResolution: module === "NodeNext" ? "NodeNext" : "Bundler",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      types,
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(
      join(project, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["use.ts"] }),
    );
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [tsc, "-p", project], { encoding: "utf8" }).stdout;
  }

  test("in a page, with a bundler", () => {
    const source = `
      import { initialize, MpLowRank, saveModel, TaskSet, type FittedModel } from "mp-mtl";
      import { calibrate } from "mp-mtl/privacy";
      import { gemm } from "mp-mtl/linalg";
      import * as federation from "mp-mtl/federation";
      import { connectNatsWebSocket } from "mp-mtl/federation/nats";
      import { privacy } from "mp-mtl/browser";
      import kernels from "mp-mtl/kernels.wasm";
      initialize({ module: kernels });
      const model: FittedModel = await new MpLowRank({ epsilon: 1 }).fit(TaskSet.from([]));
      export const bytes: Uint8Array = saveModel(model);
      export const all = [calibrate, privacy.calibrate, gemm, federation, connectNatsWebSocket];
      // @ts-expect-error a wrong option is an error of the compiler
      new MpLowRank({ epsilon: "1" });
    `;
    expect(check(source, "ESNext", [])).toBe("");
  });

  test("in Node", () => {
    const source = `
      import { connectNats, openJournal, openLedgerFolder } from "mp-mtl/node";
      export const all = [connectNats, openJournal, openLedgerFolder];
    `;
    expect(check(source, "NodeNext", ["node"])).toBe("");
  });
});
