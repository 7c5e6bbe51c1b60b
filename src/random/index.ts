export { discreteNormals, discreteSymmetricScale } from "./discrete.js";
export {
  integers,
  normals,
  permutation,
  randomBits,
  shuffle,
  symmetricNormal,
  uniforms,
} from "./draws.js";
export { openStream, type RandomOptions, type RandomStream } from "./stream.js";
export { sampleWishart, type WishartOptions } from "./wishart.js";
