/**
 * Contiguous ranges of tasks, one a thread: in the order of tasks, of about the same work.
 * @module
 */
import type { TaskArrays, TaskSet } from "../../data/index.js";

/** Tasks from `first` up to `end`. */
export interface TaskRange {
  readonly first: number;
  readonly end: number;
}

/**
 * Cuts m tasks into `count` ranges, none empty.
 * @param count 1 to m.
 */
export function taskRanges({ m, d, offsets }: TaskSet, count: number): TaskRange[] {
  // A task costs by its rows, and by its features where systems of them are solved.
  const before = (task: number) => offsets[task]! + d * task;
  const total = before(m);
  const ranges: TaskRange[] = [];
  let first = 0;
  for (let k = 1; k <= count; k++) {
    const most = m - (count - k);
    let end = first + 1;
    while (end < most && before(end) < (total * k) / count) end++;
    ranges.push({ first, end });
    first = end;
  }
  return ranges;
}

/** The arrays of a range: views of the set's. */
export function arraysOf(tasks: TaskSet, { first, end }: TaskRange): TaskArrays {
  const { d, names, featureNames, targetName, targetLevels, encoding } = tasks;
  const [from, to] = [tasks.offsets[first]!, tasks.offsets[end]!];
  return {
    x: tasks.x.subarray(from * d, to * d),
    y: tasks.y.subarray(from, to),
    persons: tasks.persons?.subarray(from, to),
    offsets: tasks.offsets.slice(first, end + 1).map((offset) => offset - from),
    names: names.slice(first, end),
    ...{ featureNames, targetName, targetLevels, encoding },
  };
}
