export type { Label, TaskArrays, TaskInput } from "./build.js";
export { binaryLabels, classLabels, type BinaryLabels, type ClassLabels } from "./labels.js";
export { seededUniforms, shuffledRows, type Seed } from "./shuffle.js";
export type { SplitOptions } from "./split.js";
export { TaskSet, type Task, type TrainTest } from "./task-set.js";
