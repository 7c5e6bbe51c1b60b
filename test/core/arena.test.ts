import { afterEach, describe, expect, test } from "vitest";
import { HostError, initialize, kernelBuild, openCore, withCore } from "../../src/core/index.js";
import { kernelBytes } from "../../src/core/builds/packed-bytes.js";
import type { TaskSet } from "../../src/data/index.js";
import { ResidentTasks } from "../../src/learning/tasks/resident-tasks.js";

describe("the arena", () => {
  test("hands out aligned blocks that do not overlap, and takes them back", () => {
    const { arena } = openCore();
    const mark = arena.mark();
    const blocks = [1, 7, 16, 33, 8].map((bytes) => ({ at: arena.bytes(bytes), bytes }));
    for (const { at } of blocks) expect(at % 16).toBe(0);
    for (let i = 1; i < blocks.length; i++) {
      expect(blocks[i]!.at).toBeGreaterThanOrEqual(blocks[i - 1]!.at + blocks[i - 1]!.bytes);
    }
    arena.release(mark);
    expect(arena.bytes(1)).toBe(blocks[0]!.at);
    expect(arena.peak).toBeGreaterThanOrEqual(1 + 7 + 16 + 33 + 8);
  });

  test("grows the memory, keeping what is in it", () => {
    const { arena } = openCore();
    const at = arena.copyOf(Float64Array.of(1, 2, 3));
    arena.f64(1e6);
    expect([...arena.view(at, 3)]).toEqual([1, 2, 3]);
  });

  test("refuses what passes the address space, before anything is allocated", () => {
    const { arena, kernels } = openCore();
    const before = kernels.memory.buffer.byteLength;
    expect(() => arena.f64(2 ** 29, "the feature matrix")).toThrow(HostError);
    expect(() => arena.f64(2 ** 29, "the feature matrix")).toThrow(
      /the feature matrix needs 4\.00 GiB, but .* is left; nothing was started/,
    );
    expect(kernels.memory.buffer.byteLength).toBe(before);
  });

  test("a fit that cannot fit is refused with its sizes, before its data is touched", () => {
    const offsets = Uint32Array.from({ length: 1001 }, (_, i) => 60 * i);
    const huge = { m: 1000, d: 10_000, size: 60_000, offsets } as TaskSet;
    const make = () =>
      new ResidentTasks(openCore(), huge, new Float64Array(0), {
        loss: "squared",
        lossScale: "mean",
      });
    expect(make).toThrow(/A fit of 1000 tasks, 60000 rows, 10000 features needs .* GiB/);
  });

  test("wipes", () => {
    const { arena } = openCore();
    const at = arena.copyOf(Float64Array.of(1, 2));
    arena.wipe(at, 16);
    expect([...arena.view(at, 2)]).toEqual([0, 0]);
  });
});

describe("withCore", () => {
  test("gives everything back, also after an error", () => {
    const first = withCore(({ arena }) => arena.f64(100));
    expect(() =>
      withCore(({ arena }) => {
        arena.f64(100);
        throw new Error("inside");
      }),
    ).toThrow("inside");
    expect(withCore(({ arena }) => arena.f64(100))).toBe(first);
  });

  test("drops an instance that has grown large", () => {
    const grown = withCore((core) => {
      core.arena.bytes(2 ** 27);
      return core.kernels.memory;
    });
    expect(withCore((core) => core.kernels.memory)).not.toBe(grown);
  });
});

describe("initialize", () => {
  afterEach(() => {
    initialize();
  });

  test("chooses SIMD where there is SIMD, or what is asked for", () => {
    initialize();
    expect(kernelBuild()).toBe("simd");
    initialize({ build: "scalar" });
    expect(kernelBuild()).toBe("scalar");
  });

  test("takes a module that the host compiled", () => {
    initialize({ module: new WebAssembly.Module(kernelBytes("simd")) });
    expect(kernelBuild()).toBe("custom");
    const dot = withCore(({ arena, kernels }) => {
      const a = arena.copyOf(Float64Array.of(1, 2, 3));
      return kernels.dot(a, a, 3);
    });
    expect(dot).toBe(14);
  });

  test("the kernels import nothing from the host", () => {
    for (const build of ["simd", "scalar"] as const) {
      expect(WebAssembly.Module.imports(new WebAssembly.Module(kernelBytes(build)))).toEqual([]);
    }
  });
});
