import { afterEach, describe, expect, it } from "vitest";
import { closeCore, initialize, openCore } from "../../src/core/index.js";

describe("cores that were closed", () => {
  afterEach(() => initialize());

  it("come again wiped, with an arena of their own", () => {
    initialize();
    const first = openCore();
    first.arena.copyOf(Float64Array.of(1, 2, 3));
    first.arena.release(first.arena.mark());
    const { memory } = first.kernels;
    closeCore(first);
    const second = openCore();
    expect(second.kernels.memory).toBe(memory);
    expect(second.arena.used).toBe(0);
    const from = Math.ceil(second.kernels.heapBase() / 16) * 16;
    const left = new Float64Array(memory.buffer, from, 4);
    expect([...left]).toEqual([0, 0, 0, 0]);
  });

  it("are two users' never, even if closed twice", () => {
    initialize();
    const core = openCore();
    closeCore(core);
    closeCore(core);
    expect(openCore().kernels).not.toBe(openCore().kernels);
  });

  it("are not kept where they are large", () => {
    initialize();
    const core = openCore();
    core.arena.bytes(64 * 2 ** 20);
    closeCore(core);
    expect(openCore().kernels).not.toBe(core.kernels);
  });

  it("are not kept beyond what those kept may hold together", () => {
    initialize();
    const [first, second] = [openCore(), openCore()];
    for (const { arena } of [first, second]) arena.bytes(40 * 2 ** 20);
    closeCore(first);
    closeCore(second);
    const found = [openCore().kernels, openCore().kernels];
    expect(found).toContain(first.kernels);
    expect(found).not.toContain(second.kernels);
  });

  it("are of the module that is loaded", () => {
    initialize({ build: "scalar" });
    const [before, closed] = [openCore(), openCore()];
    closeCore(closed);
    initialize({ build: "simd" });
    closeCore(before);
    const found = [openCore().kernels, openCore().kernels];
    expect(found).not.toContain(before.kernels);
    expect(found).not.toContain(closed.kernels);
  });
});
