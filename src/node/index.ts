/**
 * `mp-mtl/node`: files, journals, ledgers, a connection to NATS, and worker threads.
 * @module
 */
export { openFitPool, openTaskWorkers, openThreadPool, serveJobs } from "./threads/thread-pool.js";
export { openJournal, type OpenJournal } from "./records/release-journal.js";
export { readBytes } from "./files/read-bytes.js";
export { readTable, readTables } from "./tables/read-table.js";
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
} from "./files/write-atomically.js";
export { openLedgerFolder, type LedgerFolder } from "./records/ledger-folder.js";
export { connectNats, type NatsTcpOptions } from "./connect-nats.js";
export { openBroadcastFile } from "./records/broadcast-file.js";
export { openRunFolder } from "./records/run-folder.js";
