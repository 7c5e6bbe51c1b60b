/**
 * Serves predictions of a saved model from an edge host (Cloudflare Workers or any workerd).
 *
 *   POST /predict   { "task": "task-1", "rows": [[0.1, …], …] }  ->  { "predictions": [ … ] }
 *   GET  /model     what the model is and what it promises; no weights
 *
 * The kernels need no set-up: under the export condition "workerd" they are imported as a module.
 */
import { DataError, loadModel } from "mp-mtl";
import bytes from "./model.safetensors";

let loaded;
const model = () => (loaded ??= loadModel(new Uint8Array(bytes)));

async function predict(request) {
  let body;
  try {
    body = await request.json();
  } catch {
    return refuse("the body is not JSON");
  }
  const { task, rows } = body ?? {};
  if (typeof task !== "string" || !Array.isArray(rows)) {
    return refuse('expected { "task": "NAME", "rows": [[…], …] }');
  }
  try {
    return Response.json({ predictions: [...model().predict(task, rows)] });
  } catch (error) {
    // Errors of the library name task, row and column and never hold data.
    if (error instanceof DataError || error instanceof TypeError) return refuse(error.message);
    throw error;
  }
}

function refuse(message) {
  return Response.json({ error: message }, { status: 400 });
}

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && pathname === "/predict") return predict(request);
    if (request.method === "GET" && pathname === "/model") {
      const { method, featureNames, guarantee } = model();
      return Response.json({ method, featureNames, guarantee });
    }
    return Response.json({ error: "POST /predict or GET /model" }, { status: 404 });
  },
};
