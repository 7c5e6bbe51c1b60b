/** `mp-mtl/kernels.wasm`, on hosts that import WebAssembly as a compiled module. */
declare const kernels: WebAssembly.Module;
export default kernels;
