export { initialize } from "./core/index.js";
