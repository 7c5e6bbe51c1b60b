/** The fits inside a Web Worker. */
import { run } from "./fit.js";

globalThis.addEventListener("message", ({ data }) => {
  run(data).then((result) => globalThis.postMessage(result));
});
