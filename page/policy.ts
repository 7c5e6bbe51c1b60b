/**
 * What the page may do, in the browser's own terms: run its own scripts and compile WebAssembly.
 * Nothing may be fetched or sent, not even to where the page came from.
 * @module
 */

/** Content security policy of the page; its workers inherit it. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  // Workers start from a blob, so that this policy binds them too on hosts that send no headers;
  // what the blob imports counts as a worker, too.
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join("; ");
