import { Duplex } from "node:stream";
import { brotliCompressSync, createBrotliDecompress } from "node:zlib";
import { afterEach, describe, expect, test, vi } from "vitest";
import { HostError } from "../../../../src/core/errors.js";
import { unpackBrotli } from "../../../../src/data/read/parquet/brotli.js";

const content = new TextEncoder().encode("some values, some values, some other values");
const packed = new Uint8Array(brotliCompressSync(content));

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** As in a browser: no modules of Node. */
const withoutModules = () =>
  vi
    .spyOn(process as { getBuiltinModule: (name: string) => unknown }, "getBuiltinModule")
    .mockReturnValue(undefined);

const hosts: [string, () => void][] = [
  ["Node's module", () => undefined],
  [
    "a compression stream",
    () => {
      withoutModules();
      const stream = function stream(format: string): unknown {
        expect(format).toBe("brotli");
        return Duplex.toWeb(createBrotliDecompress());
      };
      vi.stubGlobal("DecompressionStream", stream);
    },
  ],
];

describe.each(hosts)("by %s", (_, prepare) => {
  test("what was packed comes back in bytes of its own", async () => {
    prepare();
    expect(await unpackBrotli(packed, content.length)).toEqual(content);
    expect(await unpackBrotli(new Uint8Array(brotliCompressSync(new Uint8Array())), 0)).toEqual(
      new Uint8Array(),
    );
  });

  test("more than is stated, and a stream that is cut, are refused", async () => {
    prepare();
    await expect(unpackBrotli(packed, content.length - 1)).rejects.toThrow();
    await expect(unpackBrotli(packed.subarray(0, -1), content.length)).rejects.toThrow();
  });
});

test("bytes after the end are refused", async () => {
  await expect(unpackBrotli(Uint8Array.of(...packed, 0), content.length)).rejects.toThrow(
    "after its end",
  );
});

test("a host that has no Brotli says what to do", async () => {
  withoutModules();
  vi.stubGlobal("DecompressionStream", function unknown() {
    throw new TypeError("Unsupported compression format");
  });
  const reading = unpackBrotli(packed, content.length);
  await expect(reading).rejects.toThrow(HostError);
  await expect(reading).rejects.toThrow("pack with zstd, snappy or gzip");
});
