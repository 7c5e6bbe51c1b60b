export type { CategoryKind, FeatureKind, Missing, NumberKind } from "./column-encoding.js";
export type { DataEncoding, EncodedTarget } from "./data-encoding.js";
export type { EncodedColumn, Provenance } from "./encoded-column.js";
export type { EncodedFeatures } from "./encode-features.js";
export type { UnexpectedValues } from "./unexpected-values.js";
export { draftSchema } from "./draft-schema.js";
export {
  inspectTable,
  type ColumnReport,
  type InspectOptions,
  type TableReport,
} from "./inspect-table.js";
export { splitTable, type SplitTable, type TableSplit } from "./split-table.js";
export { fillGaps, splitEncoded, type EncodedSplit } from "./split-encoded.js";
export { boundPersons, requireBound } from "./person-bound.js";
export { recordsApart, requireRecordsApart } from "./records-apart.js";
export { learnedBefore } from "./learned-before.js";
export {
  parseSchema,
  SCHEMA_FORMAT,
  type ColumnDeclaration,
  type DataSchema,
  type TargetDeclaration,
} from "./schema.js";
export { denseTasks } from "./dense-tasks.js";
export { relativeWeights } from "./sample-weights.js";
export { takeRows } from "./rows-of-tasks.js";
export {
  checkSparse,
  compactRows,
  denseRows,
  isSparse,
  sparseMatrix,
  stackSparse,
  sliceSparse,
  withSparseColumn,
  type SparseMatrix,
  type SparseRows,
} from "./sparse-rows.js";
export type { FeatureNumbers, SparseFeatures } from "./sparse-features.js";
export { fromUnit, type Range, type Scale } from "./scale.js";
export type { TaskSource } from "./groups.js";
export type { TaskArrays, TaskInput } from "./task-arrays.js";
export type { Label } from "./label.js";
export {
  binaryLabels,
  classLabels,
  refuseLabels,
  type BinaryLabels,
  type ClassLabels,
} from "./labels.js";
export type { ColumnStatistics, Transform, TransformSpec } from "./transform.js";
export { Pipeline } from "./pipeline.js";
export { type PipelineState } from "./pipeline-state.js";
export { seededUniforms, shuffledRows, type Seed } from "./shuffle.js";
export type { SplitOptions } from "./split.js";
export { tableFrom, type ArrowTable, type TableColumns, type TableRecord } from "./table-from.js";
export { Table, type Column, type NumberColumn, type TextColumn } from "./table.js";
export { TaskMoments } from "./task-moments.js";
export { momentsOfTables, type StreamedTasks, type StreamOptions } from "./stream-tasks.js";
export type { ColumnUse, TableStream } from "./table-stream.js";
export { TaskSet, type TrainTest } from "./task-set.js";
export type { RowRule } from "./rows-of-tasks.js";
export type { Task } from "./task-view.js";
export { TableEncoding, tasksFromTable, type EncodedTable } from "./table-encoding.js";
export { type TableEncodingState } from "./table-encoding-state.js";
export type { TableSchema } from "./table-roles.js";
export {
  csvTables,
  formatOf,
  readCsv,
  readNpy,
  readParquet,
  readSvmlight,
  readTable,
  type CsvOptions,
  type TableBytes,
  type TableFormat,
} from "./read/index.js";
export {
  mostFrequent,
  stackOverflowTasks,
  stackOverflowUsers,
  type Hdf5File,
  type StackOverflowOptions,
  type StackOverflowUser,
} from "./stack-overflow.js";
export { leafTasks, parseLeaf, type LeafDocument, type LeafOptions } from "./leaf.js";
export {
  simulate,
  simulateLeakage,
  type LeakageOptions,
  type SimulateOptions,
  type Simulation,
} from "./simulate.js";
export type { FileFormat } from "../core/file-format.js";
