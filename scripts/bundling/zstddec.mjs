/**
 * zstddec without its request: it has its module fetched from an address that holds it, which a page's policy may forbid
 * (`connect-src`). Every host has `atob`.
 */
import { readFile } from "node:fs/promises";

const REQUEST =
  /if \(typeof fetch !== "undefined"\) init = fetch\([\s\S]*?else init = WebAssembly\.instantiate\(Buffer\.from\(wasm, "base64"\), /;
const OWN = "init = WebAssembly.instantiate(Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0)), ";
export const ZSTDDEC = /[\\/]zstddec[\\/]dist[\\/]zstddec\.mjs$/;

/** @throws Error if a newer zstddec is written otherwise. */
export function withoutRequest(text) {
  if (!REQUEST.test(text))
    throw new Error("zstddec starts in another way: see scripts/bundling/zstddec.mjs");
  return text.replace(REQUEST, OWN);
}

/** Plugin of esbuild. */
export const zstddecWithoutRequest = {
  name: "zstddec-without-request",
  setup(build) {
    build.onLoad({ filter: ZSTDDEC }, async ({ path }) => ({
      contents: withoutRequest(await readFile(path, "utf8")),
    }));
  },
};
