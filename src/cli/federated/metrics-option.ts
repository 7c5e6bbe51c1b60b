/**
 * The option of every party of a run by which it can be watched.
 * @module
 */
import { text } from "../options/values.js";

export const metricsOption = {
  metrics: {
    value: "HOST:PORT",
    help: "Serve /metrics (Prometheus) and /health there: counts, no names of participants.",
    schema: text("an address like 127.0.0.1:9464"),
  },
} as const;
