/** Everything TypeScript may call; the contract is src/core/kernels.ts. */
export { momentumAngle } from "./momentum";
export { axpy } from "./proximal";

/** First byte that TypeScript's arena may use: past the kernels' constant tables. */
export function heapBase(): usize {
  return __heap_base;
}
