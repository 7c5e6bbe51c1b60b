/**
 * `mp-mtl/node`: files, journals, ledgers, a connection to NATS, and worker threads.
 * @module
 */
export { openFitPool, openTaskWorkers, openThreadPool, serveJobs } from "./thread-pool.js";
export { openJournal, type OpenJournal } from "./release-journal.js";
export { readBytes } from "./read-bytes.js";
export { readTable, readTables } from "./read-table.js";
export {
  momentsOfTables,
  TaskMoments,
  type ColumnUse,
  type StreamedTasks,
  type StreamOptions,
  type TableStream,
} from "../data/index.js";
export {
  checkDirectory,
  writeDirectoryAtomically,
  writeFileAtomically,
  type Content,
  type WriteOptions,
} from "./write-atomically.js";
export { openLedgerFolder, type LedgerFolder } from "./ledger-folder.js";
export { connectNats, type NatsTcpOptions } from "./connect-nats.js";
export { openBroadcastFile } from "./broadcast-file.js";
export { openRunFolder } from "./run-folder.js";
