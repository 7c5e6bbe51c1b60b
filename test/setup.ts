/** Runs before every test file (vitest.config.ts). */
import { afterAll } from "vitest";
import { undoAll } from "./after-file.js";

afterAll(undoAll, 60_000);
