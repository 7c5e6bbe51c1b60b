/** Seeded uniforms and normals for simulated tasks, as benches draw them. */
export { generator } from "../../bench/uniform-draws.js";
