/**
 * Plugin: seedrandom as an ES module without side effects. Its own entry point is CommonJS, brings seven
 * generators that are not used and asks Node for all of `crypto`, to key generators that have no seed; ours all
 * have one. That took Node longer than loading everything else.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const file = fileURLToPath(import.meta.resolve("seedrandom/seedrandom.js"));

/** The comment is one that bundlers keep: the licence wants to be named wherever the code goes. */
const asModule = (text, licences) => `/*! seedrandom, MIT: ${licences} */
export default /* @__PURE__ */ (() => {
  const module = { exports: {} };
  const require = () => undefined;
  ${text}
  return module.exports;
})();`;

/** @param licences name of the file with its licence, which is shipped beside the bundle. */
export const seedrandomAsModule = (licences) => ({
  name: "seedrandom-as-module",
  setup(build) {
    build.onResolve({ filter: /^seedrandom$/ }, () => ({ path: file, sideEffects: false }));
    build.onLoad({ filter: /[\\/]seedrandom\.js$/ }, async ({ path }) => ({
      contents: asModule(await readFile(path, "utf8"), licences),
    }));
  },
});
