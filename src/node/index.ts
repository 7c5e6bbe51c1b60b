/**
 * `mp-mtl/node`: files, journals, ledgers, a connection to NATS, and worker threads.
 * @module
 */
export { openFitPool, openThreadPool, serveJobs } from "./thread-pool.js";
export { openJournal, type OpenJournal } from "./release-journal.js";
export { readBytes, readTable } from "./read-table.js";
export {
  checkDirectory,
  writeDirectoryAtomically,
  writeFileAtomically,
} from "./write-atomically.js";
export { openLedgerFile, type LedgerFile } from "./ledger-file.js";
export { connectNats, type NatsTcpOptions } from "./connect-nats.js";
export { openRunFile } from "./run-file.js";
