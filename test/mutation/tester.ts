/**
 * The process that runs tests on mutants, from outside: made when needed, and again after one that hung.
 * @module
 */
import { fork, type ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import { plantedFolder } from "./planting.js";
import type { Answer, Question } from "./session.js";

/** Tests that take so many times longer than they did, and some more, are in a loop without end: milliseconds. */
const LONGER = 12;
const MORE = 120_000;

let session: Promise<ChildProcess> | undefined;
const openSession = () =>
  (session ??= new Promise((resolve, reject) => {
    const child = fork("build/mutation-session.mjs", { detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] }); // prettier-ignore
    child.once("message", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`the session ended with code ${code}`)));
  }));

export async function endSession(): Promise<void> {
  const child = await session;
  session = undefined;
  if (child?.pid === undefined) return;
  try {
    // The workers of the session are in its group.
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    // It ended by itself, with all of its group.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
  rmSync(plantedFolder(child.pid), { recursive: true, force: true });
}

/** What fails, or that nothing ended. @param ms how long the tests take where nothing is planted. */
export async function ask(question: Question, ms: number): Promise<Answer> {
  const child = await openSession();
  const answer = await new Promise<Answer | undefined>((resolve) => {
    const timer = setTimeout(() => resolve(undefined), LONGER * ms + MORE);
    const end = (found: Answer | undefined) => {
      clearTimeout(timer);
      child.removeListener("exit", lost);
      resolve(found);
    };
    const lost = () => end(undefined);
    child.once("message", (found) => end(found as Answer));
    child.once("exit", lost);
    child.send(question);
  });
  if (answer) return answer;
  await endSession();
  return { failed: "no end" };
}
