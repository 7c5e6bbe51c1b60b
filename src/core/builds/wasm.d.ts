/** Hosts that import WebAssembly as a module give the compiled module. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
