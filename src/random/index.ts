export { normals, permutation, randomBits, shuffle, uniforms } from "./draws.js";
export { openStream, type RandomOptions, type RandomStream } from "./stream.js";
export { sampleWishart, type WishartOptions } from "./wishart.js";
