import { expect, test } from "vitest";
import { binaryLabels, classLabels, TaskSet } from "../../../src/data/index.js";

const tasks = (...y: (number[] | string[] | boolean[])[]) =>
  TaskSet.from(y.map((labels, i) => ({ name: `t${i}`, x: labels.map(() => [1]), y: labels })));

test("the larger of two numbers is +1", () => {
  const { y, classes } = binaryLabels(tasks([7, 3], [3]));
  expect([...y]).toEqual([1, -1, -1]);
  expect(classes).toEqual([3, 7]);
});

test("text and booleans work alike", () => {
  expect(binaryLabels(tasks(["sick", "healthy"])).classes).toEqual(["healthy", "sick"]);
  expect([...binaryLabels(tasks(["sick", "healthy"])).y]).toEqual([1, -1]);
  expect([...binaryLabels(tasks([true, false, true])).y]).toEqual([1, -1, 1]);
});

test("one class in a task is legitimate, in all tasks it is not", () => {
  expect([...binaryLabels(tasks([1, 1], [0, 1])).y]).toEqual([1, 1, -1, 1]);
  expect(() => binaryLabels(tasks([1, 1], [1]))).toThrow('the target "y" has one class.');
  expect(() => classLabels(tasks([1, 1], [1]))).toThrow('the target "y" has one class.');
});

test("more than two values are no binary target", () => {
  expect(() => binaryLabels(tasks([1, 2, 3]))).toThrow(
    'the target "y" has 3 different values, not two classes. Use the loss "softmax"',
  );
});

test("several classes count from 0 in ascending order", () => {
  const { y, classes } = classLabels(tasks([30, 10, 20, 10]));
  expect([...y]).toEqual([2, 0, 1, 0]);
  expect(classes).toEqual([10, 20, 30]);
});

test("test data is read in the classes of the model, whatever it contains itself", () => {
  const { classes } = binaryLabels(tasks(["no", "yes"]));
  expect([...binaryLabels(tasks(["yes", "yes"]), classes).y]).toEqual([1, 1]);
  expect(() => binaryLabels(tasks(["no"], ["no", "maybe"]), classes)).toThrow(
    'task "t1", row 1: y: not one of the 2 classes the model was fitted with.',
  );
  const several = classLabels(tasks([1, 2, 3])).classes;
  expect([...classLabels(tasks([3, 3]), several).y]).toEqual([2, 2]);
});

test("labels keep their meaning through a split", () => {
  const { train } = tasks(["b", "a", "b", "b"]).splitBy((row) => row > 1);
  expect(train.targetLevels).toEqual(["a", "b"]);
  expect(() => binaryLabels(train)).toThrow("one class");
});
