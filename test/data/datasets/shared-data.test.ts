import { describe, expect, test } from "vitest";
import { tasksFromTable, TaskSet, binaryLabels, classLabels } from "../../../src/data/index.js";
import { readTable } from "../../../src/node/tables/read-table.js";
import { describeShared, sharedPath } from "../../shared.js";

const files = ["school", "landmine", "femnist206"].map((name) => `data/${name}.csv.gz`);

describeShared("the reference data sets, against the facts stated of them", files, () => {
  const schema = { task: "task", target: "y" };

  test("School", async () => {
    const { tasks } = tasksFromTable(await readTable(sharedPath(files[0]!)), schema);
    expect([tasks.m, tasks.d, tasks.size]).toEqual([139, 28, 15362]);
    expect([Math.min(...tasks.taskSizes), Math.max(...tasks.taskSizes)]).toEqual([22, 251]);
    expect([Math.min(...tasks.y), Math.max(...tasks.y)]).toEqual([1, 70]);
    const mean = tasks.y.reduce((sum, y) => sum + y, 0) / tasks.size;
    const variance = tasks.y.reduce((sum, y) => sum + (y - mean) ** 2, 0) / tasks.size;
    expect(mean).toBeCloseTo(20.5973, 4);
    expect(variance).toBeCloseTo(161.8352, 4);
    // The reference split has these sizes.
    const { train, test } = tasks.splitBy((j) => (j * 7919) % 100 < 30);
    expect([train.size, test.size]).toEqual([4640, 10722]);
  });

  test("landmine", async () => {
    const { tasks } = tasksFromTable(await readTable(sharedPath(files[1]!)), schema);
    expect([tasks.m, tasks.d, tasks.size]).toEqual([29, 9, 14820]);
    expect([Math.min(...tasks.taskSizes), Math.max(...tasks.taskSizes)]).toEqual([445, 690]);
    const { y, classes } = binaryLabels(tasks);
    expect(classes).toEqual([0, 1]);
    expect(y.filter((label) => label === 1).length).toBe(904);
  });

  test("femnist206", async () => {
    const { tasks } = tasksFromTable(await readTable(sharedPath(files[2]!)), {
      ...schema,
      kinds: { pixels: "hex-digits" },
    });
    expect([tasks.m, tasks.d, tasks.size]).toEqual([206, 196, 6237]);
    expect([Math.min(...tasks.taskSizes), Math.max(...tasks.taskSizes)]).toEqual([5, 69]);
    expect(classLabels(tasks).classes).toEqual(Array.from({ length: 62 }, (_, label) => label));
    expect(tasks.x.every((value) => value >= 0 && value <= 1 && Number.isInteger(value * 15))).toBe(
      true,
    );
    expect(tasks).toBeInstanceOf(TaskSet);
    const digits = tasks.y.filter((label) => label < 10).length;
    expect(digits).toBe(3679);
  });
});

describe("readTable from files", () => {
  test("says why a file cannot be read", async () => {
    await expect(readTable("no/such/file.csv")).rejects.toThrow(
      "no/such/file.csv: there is no such file.",
    );
    await expect(readTable("src")).rejects.toThrow("src: this is a directory, expected a file.");
  });
});
