/**
 * How the page is built: relative addresses, so that the folder can be hosted anywhere.
 * @module
 */
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
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

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  base: "./",
  plugins: [policy],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  worker: { format: "es" },
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
