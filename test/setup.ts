/** Runs before every test file (vitest.config.ts). */
import { afterAll, afterEach } from "vitest";
import { testEnded, undoAll } from "./after-file.js";

afterEach(({ task }) => testEnded(task.result?.state === "fail"));
afterAll(undoAll, 60_000);
