/** The fits inside workerd: a request answers with their digests, or with the error's message. */
import { run } from "./fit.js";

export default {
  async fetch(request) {
    const build = new URL(request.url).searchParams.get("build") ?? undefined;
    try {
      return Response.json(await run(build));
    } catch (error) {
      return Response.json({ name: error.name, code: error.code, message: error.message });
    }
  },
};
