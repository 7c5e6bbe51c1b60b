/**
 * Models written in TensorFlow.js as models of one's own in `Pmtl`, `PrivateFedAvg` and their kin. This part of the package imports
 * nothing at run time: the caller hands over its TensorFlow.js.
 * @module
 */
export { tfjsModel, type Tfjs, type TfjsModelOptions, type TfjsParameter } from "./tfjs-model.js";
export { femnistNetwork, type FemnistNetworkOptions } from "./femnist-network.js";
