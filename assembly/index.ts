/** Everything TypeScript may call; the contract is src/core/kernels/. */
export { momentumAngle, momentumAngles } from "./momentum";
export { gemm, gemmWorkspace } from "./blas/gemm";
export { firstLongRow, firstNonFinite, symmetrize } from "./blas/inspect";
export { singlePanels, singlePanelsBytes, singleProduct, singleProductWorkspace } from "./blas/single";
export { spectralProduct, spectralProductWorkspace, syrk, syrkWorkspace } from "./blas/symmetric";
export { columnSquares, transpose } from "./blas/transpose";
export { cholesky, choleskySolve } from "./cholesky";
export { definiteInverse, definiteInverseWorkspace } from "./definite-inverse";
export { eigh, eighWorkspace, largestVectors, rationalEigh, shrinkOrValues } from "./eigen/eigh";
export { tridiagonalise, tridiagonaliseWorkspace } from "./eigen/tridiagonalise";
export { svd, svdWorkspace } from "./svd/svd";
export { randomInit, randomSelect, randomStateBytes, randomWords } from "./random/chacha";
export { randomUniform } from "./random/uniform";
export { randomNormal } from "./random/normal";
export { randomChiSquare, randomGamma } from "./random/gamma";
export {
  addLaplace, addNormal, addSphericalLaplace, addSphericalLaplaceWorkspace, addSymmetricNormal,
} from "./random/noise";
export {
  addDiscreteNormal, addDiscreteSymmetricNormal, discreteGaussian,
} from "./random/discrete";
export { addDiscreteLaplace, discreteLaplace } from "./random/discrete-laplace";
export { exactReals, exactRealsRecords } from "./random/exact-reals";
export { exponentialBelow } from "./random/exponential-below";
export { wishart, wishartWorkspace } from "./wishart";
export {
  taskBatchGradient, taskGradients, taskGradientsOfMargins, taskLosses, taskPredict,
} from "./tasks/gradients";
export { taskCurvatures, taskCurvaturesWorkspace } from "./tasks/curvature";
export {
  addResiduals, reflectedSteps, taskGrams, taskGramsWorkspace, taskResolvents, taskResolventsWorkspace,
} from "./tasks/resolvents";
export {
  quadraticFormBytes, quadraticForms, quadraticFormsWorkspace, quadraticGradients,
} from "./tasks/quadratic";
export { localRounds, taskUpdates } from "./tasks/local-rounds";
export { stepOperators, stepOperatorsWorkspace } from "./tasks/quadratic-steps";
export { projectedRounds, projectedRoundsWorkspace, projectedScale } from "./tasks/projected-rounds";
export { singleFormEntries, singleForms, singleFormsWorkspace } from "./tasks/single-forms";
export { foldForms, foldFormsWorkspace, foldPredictions } from "./tasks/folds";
export { laplaceAverage, laplaceAverageWorkspace } from "./tasks/laplace-average";
export { labelPosterior, labelPosteriorWorkspace } from "./tasks/label-posterior";
export { ownRidge, ownRidgeWorkspace } from "./tasks/own-ridge";
export { foldRidge, foldRidgeWorkspace } from "./tasks/fold-ridge";
export { openVarianceScores, varianceScores } from "./tasks/variance-scores";
export { wideSpectrum } from "./tasks/wide-spectrum";
export { addInformation, tallSpectrum } from "./tasks/tall-spectrum";
export { addToldInformation, toldInformationWorkspace } from "./tasks/told-information";
export { leftRowsBytes } from "./tasks/left-rows";
export { taskRidge, taskRidgeWorkspace } from "./tasks/ridge";
export { closePriorPath, openPriorPath, priorPathWorkspace, priorRoot } from "./tasks/prior-path";
export { taskRidgePath, taskRidgePathWorkspace } from "./tasks/ridge-path";
export { taskNewton, taskNewtonWorkspace } from "./tasks/newton";
export {
  softmaxBatchGradient, softmaxGradients, softmaxGradientsWorkspace, softmaxLosses, softmaxPredict,
} from "./tasks/softmax";
export {
  axpy, clipRows, dot, extrapolate, gradientStep, scaleColumns, shrinkFactors, shrinkRows,
  softThreshold,
} from "./proximal";

/** First byte that TypeScript's arena may use: past the kernels' constant tables. */
export function heapBase(): usize {
  return __heap_base;
}
