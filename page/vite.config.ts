/**
 * How the page is built: relative addresses, so that the folder can be hosted anywhere.
 * @module
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { withoutRequest, ZSTDDEC } from "../scripts/bundling/zstddec.mjs";
import { POLICY } from "./policy.js";

/** Writes the policy into the built page; the development server needs scripts of its own. */
const policy: Plugin = {
  name: "content-security-policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
      injectTo: "head-prepend",
    },
  ],
};

/** The policy forbids every request, also the one by which zstddec asks for a module that it holds. */
const zstddec = (): Plugin => ({
  name: "zstddec-without-request",
  transform: (text, id) => (ZSTDDEC.test(id) ? withoutRequest(text) : undefined),
});

/** Writes the service worker, with the names of all files of the page. */
const offline: Plugin = {
  name: "service-worker",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      const files = ["./", ...Object.keys(bundle).filter((name) => name !== "index.html")].sort();
      const text = readFileSync(new URL("./src/service-worker.js", import.meta.url), "utf8");
      const html = bundle["index.html"];
      const digest = createHash("sha256")
        .update(JSON.stringify(files))
        .update(html?.type === "asset" ? html.source : "")
        .digest("hex");
      this.emitFile({
        type: "asset",
        fileName: "service-worker.js",
        source: text
          .replace("__FILES__", JSON.stringify(files))
          .replace("__DIGEST__", digest.slice(0, 16)),
      });
    },
  },
};

// Under another value (a test run sets "test") the built page would hold what only its developers need.
const builtPage: Plugin = {
  name: "built-for-visitors",
  apply: "build",
  config: () => {
    process.env["NODE_ENV"] = "production";
  },
};

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [builtPage, policy, offline, zstddec()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es", plugins: () => [zstddec()] },
  build: {
    outDir: fileURLToPath(new URL("../build/page", import.meta.url)),
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: { checks: { pluginTimings: false } },
    // The polyfill would fetch, which the policy forbids.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The report's charts are one lazy chunk of about a megabyte.
    chunkSizeWarningLimit: 1500,
  },
  preview: { headers: { "Content-Security-Policy": `${POLICY}; frame-ancestors 'none'` } },
});
