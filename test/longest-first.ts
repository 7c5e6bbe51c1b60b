/**
 * The order of test files: those that take longest first, so that no core waits at the end for a long file that the other began late.
 * `test/times.txt` holds what they took; without it a clean checkout would begin with the largest files.
 * @module
 */
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Processor seconds by the file's path from the root; files that are not listed take less than those that are. */
export function readTimes(text: string): Map<string, number> {
  return new Map(
    text.split("\n").flatMap((line) => {
      const [, seconds, path] = /^(\d+(?:\.\d+)?) (\S+)$/.exec(line) ?? [];
      return path === undefined ? [] : [[path, Number(seconds)]];
    }),
  );
}

const list = new URL("times.txt", import.meta.url);
export const times = existsSync(list) ? readTimes(readFileSync(list, "utf8")) : new Map<string, number>(); // prettier-ignore

/** Longest first, in each project; files that are not listed as the test runner has them. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const seconds = ({ moduleId }: TestSpecification) =>
      times.get(relative(root, moduleId).replaceAll("\\", "/")) ?? 0;
    return projects.flatMap((own) =>
      sorted.filter(({ project }) => project === own).sort((a, b) => seconds(b) - seconds(a)),
    );
  }
}
