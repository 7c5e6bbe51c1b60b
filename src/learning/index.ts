export { SingleTask, type SingleTaskOptions } from "./estimators/single-task.js";
export { TraceNorm, type TraceNormOptions } from "./estimators/trace-norm.js";
export { GroupSparse, type GroupSparseOptions } from "./estimators/group-sparse.js";
export { LowRankSparse, type LowRankSparseOptions } from "./estimators/low-rank-sparse.js";
export type { PartOptions } from "./estimators/parts.js";
export { MeanRegularized, type MeanRegularizedOptions } from "./estimators/mean-regularized.js";
export { TaskRelationship, type TaskRelationshipOptions } from "./estimators/task-relationship.js";
export { MpLowRank } from "./estimators/mp-low-rank.js";
export { MpLowRankSparse, type MpLowRankSparseOptions } from "./estimators/mp-low-rank-sparse.js";
export { Pmtl, type PmtlOptions } from "./estimators/pmtl.js";
export { PrivateFedAvg } from "./estimators/private-fedavg.js";
export { PrivateFedProx, type PrivateFedProxOptions } from "./estimators/private-fedprox.js";
export type { FederatedOptions } from "./estimators/federated-options.js";
export type { UpdateForm } from "./local/federated-steps.js";
export type { FinetuneKind, FinetuneOptions } from "./local/finetune.js";
export { MpGroupSparse } from "./estimators/mp-group-sparse.js";
export { DpAggregation } from "./estimators/dp-aggregation.js";
export {
  DpTaskRelationship,
  type DpTaskRelationshipOptions,
} from "./estimators/dp-task-relationship.js";
export type { RecordLevelOptions } from "./record-level/options.js";
export {
  MpFeatureLearning,
  type MpFeatureLearningOptions,
} from "./estimators/mp-feature-learning.js";
export { MpHierarchical, type MpHierarchicalOptions } from "./estimators/mp-hierarchical.js";
export { MpFramework, type MpFrameworkOptions, type RuleInput } from "./estimators/mp-framework.js";
export type { LocalStep, StepInput } from "./local/own-step.js";
export type { PriorMethodOptions } from "./estimators/prior-options.js";
export type { TrustOptions } from "./estimators/curator-trust.js";
export type { CommonOptions, Estimator, FitOptions } from "./estimators/estimator.js";
export type { ConvergenceOptions } from "./estimators/common-rules.js";
export type { BudgetOptions, GradientMethodOptions } from "./estimators/private-options.js";
export {
  FittedModel,
  type Classes,
  type Component,
  type FittedModelState,
  type HistoryEntry,
  type NoGuarantee,
  type PooledFigures,
} from "./fitted-model.js";
export { taskRelationship } from "./relationship.js";
export { TaskModel, type Rows } from "./task-model.js";
export type { Scores } from "./scores.js";
export { accuracyPerTask, auc, aucPerTask, nmse, nmsePerTask, type TaskMean } from "./metrics.js";
export type { Certificate } from "./certificates/certificate.js";
export type { LossName, LossScale } from "./losses.js";
export type { RoundReport } from "./round/run.js";
export {
  audit,
  measureLeakage,
  type AuditReport,
  type AuditTrialOptions,
  type FitAuditOptions,
  type Leakage,
  type MeasureLeakageOptions,
  type MechanismAuditOptions,
} from "./audit/index.js";
export type { RoundObserver, RoundStage, RoundView } from "./round/observer.js";
export { isPrivateMethod, makeEstimator, METHOD_NAMES } from "./methods.js";
export type { DifferentiableModel } from "./differentiable/differentiable-model.js";
export {
  HiddenLayerNetwork,
  type Activation,
  type NetworkSpec,
} from "./differentiable/hidden-layer-network.js";
export {
  fitPath,
  lambdaGrid,
  lambdaMax,
  type LambdaMaxOptions,
  type NormPenalty,
} from "./lambda-path.js";
export {
  crossValidate,
  errorOf,
  expandGrid,
  meanAndError,
  type Candidate,
  type CandidateError,
  type CrossValidation,
  type CrossValidationOptions,
  type Grid,
} from "./cross-validation.js";
export { scorable, type Scorable } from "./scorable.js";
export {
  selectPrivately,
  type PrivateSelection,
  type PrivateSelectionOptions,
} from "./selection/select-privately.js";
export type { ReleaseJournal } from "./round/release-journal.js";
