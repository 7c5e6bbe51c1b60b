/**
 * All methods, in the order in which help and tables list them: a method is one by being here.
 * @module
 */
import type { AnyMethod } from "../options/method.js";
import { dpAggregation } from "./dp-aggregation.js";
import { dpTaskRelationship } from "./dp-task-relationship.js";
import { fixedRelationship } from "./fixed-relationship.js";
import { groupSparse } from "./group-sparse.js";
import { jointDpSgd } from "./joint-dp-sgd.js";
import { lowRankSparse } from "./low-rank-sparse.js";
import { meanRegularized } from "./mean-regularized.js";
import { mixedModel } from "./mixed-model.js";
import { mpFeatureLearning } from "./mp-feature-learning.js";
import { mpFramework } from "./mp-framework.js";
import { mpGroupSparse } from "./mp-group-sparse.js";
import { mpHierarchical } from "./mp-hierarchical.js";
import { mpLowRank } from "./mp-low-rank.js";
import { mpLowRankSparse } from "./mp-low-rank-sparse.js";
import { mpMixed } from "./mp-mixed.js";
import { mpSubspace } from "./mp-subspace.js";
import { pmtl } from "./pmtl.js";
import { pmtlProjected } from "./pmtl-projected.js";
import { pooled } from "./pooled.js";
import { ppSgd } from "./ppsgd.js";
import { privateFedAvg } from "./private-fedavg.js";
import { privateFedProx } from "./private-fedprox.js";
import { singleTask } from "./single-task.js";
import { taskRelationshipLearning } from "./task-relationship.js";
import { traceNorm } from "./trace-norm.js";

export const ALL_METHODS: readonly AnyMethod[] = [
  singleTask,
  traceNorm,
  groupSparse,
  lowRankSparse,
  meanRegularized,
  mixedModel,
  pooled,
  taskRelationshipLearning,
  mpLowRank,
  mpGroupSparse,
  mpLowRankSparse,
  dpAggregation,
  dpTaskRelationship,
  mpFeatureLearning,
  mpHierarchical,
  mpMixed,
  mpSubspace,
  pmtl,
  privateFedAvg,
  privateFedProx,
  pmtlProjected,
  ppSgd,
  jointDpSgd,
  mpFramework,
  fixedRelationship,
];
