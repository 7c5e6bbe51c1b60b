export type { CategoryKind, FeatureKind, Missing, NumberKind } from "./columns/column-encoding.js";
export type { DataEncoding, EncodedTarget } from "./provenance/data-encoding.js";
export type { EncodedColumn, Provenance } from "./columns/encoded-column.js";
export type { EncodedFeatures } from "./encode/encode-features.js";
export type { UnexpectedValues } from "./encode/unexpected-values.js";
export { draftSchema } from "./inspect/draft-schema.js";
export {
  inspectTable,
  type ColumnReport,
  type InspectOptions,
  type TableReport,
} from "./inspect/inspect-table.js";
export type { SuspiciousCode } from "./inspect/signs/suspicious-codes.js";
export { splitTable, type SplitTable, type TableSplit } from "./split/split-table.js";
export { fillGaps, splitEncoded } from "./encode/split-encoded.js";
export { boundPersons, requireBound } from "./checks/person-bound.js";
export { recordsApart, requireRecordsApart } from "./checks/records-apart.js";
export { learnedBefore } from "./checks/learned-before.js";
export {
  parseSchema,
  SCHEMA_FORMAT,
  type ColumnDeclaration,
  type DataSchema,
  type TargetDeclaration,
  type UnusedColumn,
} from "./schema/schema.js";
export { denseTasks } from "./tasks/dense-tasks.js";
export { relativeWeights } from "./schema/sample-weights.js";
export { takeRows } from "./tasks/rows-of-tasks.js";
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
} from "./sparse/sparse-rows.js";
export type { FeatureNumbers, SparseFeatures } from "./sparse/sparse-features.js";
export { heldInUnits, heldOn } from "./columns/held-target.js";
export { fromUnit, UNIT_SCALE, type Outside, type Range, type Scale } from "./columns/scale.js";
export type { Limits } from "./columns/limits.js";
export type { TaskSource } from "./table/groups.js";
export type { BuildOptions, TaskArrays, TaskInput } from "./tasks/task-arrays.js";
export type { Label } from "./columns/label.js";
export { binaryLabels, classLabels, refuseLabels } from "./tasks/labels.js";
export type {
  ColumnStatistics,
  Transform,
  TransformSpec,
  UnitRows,
} from "./provenance/transform.js";
export { Pipeline } from "./transform/pipeline.js";
export { type PipelineState } from "./provenance/pipeline-state.js";
export { seededUniforms, type Seed } from "./split/shuffle.js";
export type { RowRule, SplitOptions } from "./split/split.js";
export {
  tableFrom,
  type ArrowColumn,
  type ArrowTable,
  type TableColumns,
  type TableRecord,
} from "./table/table-from.js";
export {
  Table,
  type Column,
  type NumberColumn,
  type TableSource,
  type TextColumn,
} from "./table/table.js";
export { TaskMoments } from "./tasks/task-moments.js";
export { momentsOfTables, type StreamedTasks, type StreamOptions } from "./encode/stream-tasks.js";
export type { ColumnUse, TableStream } from "./table/table-stream.js";
export { TaskSet, type TrainTest } from "./tasks/task-set.js";
export type { Task } from "./tasks/task-view.js";
export { TableEncoding, tasksFromTable, type EncodedTable } from "./encode/table-encoding.js";
export { type TableEncodingState } from "./provenance/table-encoding-state.js";
export type { TableSchema } from "./schema/table-schema.js";
export {
  csvTables,
  formatOf,
  readCsv,
  readNpy,
  readSvmlight,
  readTable,
  type ReadTableOptions,
  type TableBytes,
} from "./read/index.js";
export {
  mostFrequent,
  stackOverflowTasks,
  stackOverflowUsers,
  type Hdf5File,
  type StackOverflowOptions,
  type StackOverflowUser,
} from "./datasets/stack-overflow.js";
export { leafTasks, parseLeaf, type LeafDocument, type LeafOptions } from "./datasets/leaf.js";
export { simulate, type SimulateOptions, type Simulation } from "./datasets/simulate.js";
export { simulateLeakage, type LeakageOptions } from "./datasets/simulate-leakage.js";
export type { FileFormat } from "../core/file-format.js";
