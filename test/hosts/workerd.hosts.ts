/**
 * The real workerd: kernels imported as a module by the export condition alone, the same bits, and a clear
 * refusal of builds that are not deployed.
 */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { absent, commandOf } from "./available.js";
import { reference } from "./reference.js";
import { serveWorker, type RunningWorker } from "./workerd.js";

const scratch = inject("scratch");
const here = commandOf("workerd");

describe.skipIf(!here)(`workerd${absent(here, "workerd")}`, () => {
  let worker: RunningWorker | undefined;
  beforeAll(async () => {
    worker = await serveWorker(join(scratch, "worker.js"), join(scratch, "workerd"));
  });
  afterAll(() => worker?.stop());
  const ask = async (query = "") => (await fetch(worker!.url + query)).json();

  test("gives the same bits", async () => {
    expect(await ask()).toEqual(await reference(scratch));
  });

  test("refuses a build that is not deployed", async () => {
    expect(await ask("?build=scalar")).toEqual({
      name: "HostError",
      code: "HOST",
      message: expect.stringContaining(
        'The build "scalar" is not deployed with a worker',
      ) as string,
    });
  });
});
