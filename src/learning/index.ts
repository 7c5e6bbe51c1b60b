export { Auto, type AutoOptions } from "./auto/auto.js";
export { chooseMethod, type ChoiceFacts, type MethodChoice } from "./auto/choose-method.js";
export { expectedShare, type ShareFacts } from "./prospects/expected-share.js";
export { prospectsOf, type BudgetFacts, type Prospects } from "./prospects/prospects.js";
export { SingleTask, type SingleTaskOptions } from "./estimators/single-task.js";
export { Pooled, type PooledOptions } from "./estimators/pooled.js";
export { MixedModel, type MixedModelOptions } from "./estimators/mixed-model.js";
export { TraceNorm, type TraceNormOptions } from "./estimators/trace-norm.js";
export { GroupSparse, type GroupSparseOptions } from "./estimators/group-sparse.js";
export { LowRankSparse, type LowRankSparseOptions } from "./estimators/low-rank-sparse.js";
export type { PartOptions } from "./convex/parts.js";
export {
  clusterRelationship,
  FixedRelationship,
  type FixedRelationshipOptions,
} from "./estimators/fixed-relationship.js";
export { MeanRegularized, type MeanRegularizedOptions } from "./estimators/mean-regularized.js";
export { TaskRelationship, type TaskRelationshipOptions } from "./estimators/task-relationship.js";
export { MpLowRank } from "./estimators/mp-low-rank.js";
export { MpLowRankSparse, type MpLowRankSparseOptions } from "./estimators/mp-low-rank-sparse.js";
export { Pmtl, type PmtlOptions } from "./estimators/pmtl.js";
export { PrivateFedAvg, type PrivateFedAvgOptions } from "./estimators/private-fedavg.js";
export { PrivateFedProx, type PrivateFedProxOptions } from "./estimators/private-fedprox.js";
export { PmtlProjected, type PmtlProjectedOptions } from "./estimators/pmtl-projected.js";
export { PpSgd, type PpSgdOptions } from "./estimators/ppsgd.js";
export { JointDpSgd, type JointDpSgdOptions } from "./estimators/joint-dp-sgd.js";
export type { ProjectedOutput } from "./families/averaging/updates/projected-models.js";
export type { JointOptions } from "./families/averaging/joint-halves.js";
export type { FederatedOptions } from "./families/averaging/options.js";
export type { GradientOptions } from "./families/averaging/gradient-options.js";
export type { RecordOptions } from "./families/averaging/records/record-options.js";
export type { Aggregate } from "./round/statistic/robust-sum.js";
export type { UpdateForm } from "./families/averaging/updates/local-updates.js";
export type { FinetuneKind, FinetuneOptions } from "./families/averaging/selection/finetune.js";
export { MpGroupSparse } from "./estimators/mp-group-sparse.js";
export { DpAggregation } from "./estimators/dp-aggregation.js";
export {
  DpTaskRelationship,
  type DpTaskRelationshipOptions,
} from "./estimators/dp-task-relationship.js";
export type { RecordLevelOptions } from "./families/record-level/options.js";
export {
  MpFeatureLearning,
  type MpFeatureLearningOptions,
} from "./estimators/mp-feature-learning.js";
export { MpHierarchical, type MpHierarchicalOptions } from "./estimators/mp-hierarchical.js";
export { MpMixed } from "./estimators/mp-mixed.js";
export { publicSharedPrior, type PriorLoss } from "./families/mixed/public-shared-prior.js";
export type {
  AnyPublicPrior,
  PublicClassesPrior,
  PublicModel,
  PublicPrior,
} from "./options/public-prior.js";
export type { MixedOptions } from "./families/mixed/options.js";
export { MpSubspace } from "./estimators/mp-subspace.js";
export type { SubspaceOptions } from "./families/subspace/options.js";
export { MpFramework, type MpFrameworkOptions, type RuleInput } from "./estimators/mp-framework.js";
export type { LocalStep, StepInput } from "./families/custom/local-step.js";
export type { PriorMethodOptions } from "./families/prior/options.js";
export type { TrustOptions } from "./options/curator-trust.js";
export type { CommonOptions } from "./tasks/common-options.js";
export type { Estimator, FitOptions, SumOrder, Threads } from "./round/estimator.js";
export type { ConvergenceOptions } from "./options/common-options.js";
export type { NoiseForm } from "./options/noise-forms.js";
export type { BudgetOptions } from "./options/private-options.js";
export type { Acceleration } from "./steps/momentum.js";
export type { GradientMethodOptions } from "./families/projected/options.js";
export { FittedModel } from "./fitted/fitted-model.js";
export type {
  ChoiceRecord,
  Classes,
  Component,
  FittedModelState,
  HistoryEntry,
  NoGuarantee,
  PooledFigures,
  Preprocessing,
} from "./fitted/model-state.js";
export type { PrivateModel } from "./fitted/private-model.js";
export { taskRelationship } from "./fitted/relationship.js";
export { TaskModel, type Rows } from "./fitted/task/task-model.js";
export type { TaskModelState } from "./fitted/task/task-model-state.js";
export type { DenseRows } from "./fitted/flat-rows.js";
export type { FeatureLimits } from "./fitted/feature-limits.js";
export type { PosteriorMixture } from "./fitted/posterior/posterior-mixture.js";
export type { GuessingScores } from "./fitted/scores/guessing.js";
export type { Scores } from "./fitted/scores/scores.js";
export {
  accuracyPerTask,
  auc,
  aucPerTask,
  nmse,
  nmsePerTask,
  type TaskMean,
} from "./fitted/scores/metrics.js";
export type { Certificate } from "./fitted/certificate.js";
export type { LossName, LossScale, MarginLoss } from "./tasks/losses.js";
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
export type { StatisticName } from "./round/statistic/statistic.js";
export type { RoundObserver, RoundStage, RoundView } from "./round/observer.js";
export { isPrivateMethod, makeEstimator, METHOD_NAMES } from "./methods.js";
export type { DifferentiableModel } from "./models/differentiable-model.js";
export {
  HiddenLayerNetwork,
  type Activation,
  type NetworkSpec,
} from "./models/hidden-layer-network.js";
export {
  fitPath,
  lambdaGrid,
  lambdaMax,
  type LambdaMaxOptions,
  type NormPenalty,
} from "./tuning/lambda-path.js";
export {
  crossValidate,
  meanAndError,
  type CandidateError,
  type CrossValidation,
  type CrossValidationOptions,
} from "./tuning/cross-validation.js";
export { errorOf } from "./tuning/error-of.js";
export type { FoldJob, FoldPool } from "./tuning/fold-error.js";
export { expandGrid, type Candidate, type Grid } from "./tuning/candidates.js";
export { scorable, scorableNewTasks, type Scorable } from "./fitted/scores/scorable.js";
export { type Coefficient, type ModelSummary } from "./fitted/summary/model-summary.js";
export { scoreNewTasks } from "./fitted/scores/score-new-tasks.js";
export { whyNoUnseenTasks } from "./fitted/unseen/unseen-task.js";
export { selectPrivately, type PrivateSelection } from "./tuning/select-privately.js";
export type { PrivateSelectionOptions } from "./tuning/selection-setting.js";
export type { ReleaseJournal } from "./round/release-journal.js";
export type {
  FurtherPredictions,
  PredictionInterval,
} from "./fitted/unseen/further-predictions.js";
export { fitNewTask, sharedPrior } from "./new-tasks.js";
export type { SharedPrior } from "./fitted/unseen/shared-prior.js";
export { TaskWorkers } from "./workers/task-workers.js";
export type { TaskWorker } from "./workers/task-worker.js";
export type { WorkerPort } from "./workers/worker-port.js";
export type { ThreadsUsed } from "./fitted/model-state.js";
export { serveTasks, type TaskServer } from "./serve-tasks.js";
export {
  bestRounds,
  inexactProximalBound,
  type BoundAcceleration,
  type Bounded,
  type InexactRounds,
} from "./bounds/inexact-steps.js";
export {
  noiseNormBound,
  recommendedSchedule,
  utilityBound,
  type BoundStatistic,
  type UtilityBound,
  type UtilityOptions,
} from "./bounds/utility-bounds.js";
export {
  averagingBound,
  type AveragingBound,
  type AveragingOptions,
} from "./bounds/averaging-bounds.js";
