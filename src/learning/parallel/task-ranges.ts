/**
 * Contiguous ranges of tasks, one a thread: in the order of tasks, of about the same work.
 * @module
 */
import { sliceSparse, type TaskArrays, type TaskSet } from "../../data/index.js";

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
  const { d, names, offsets } = tasks;
  const all = tasks.arrays();
  const [from, to] = [offsets[first]!, offsets[end]!];
  return {
    ...all,
    x: all.x?.subarray(from * d, to * d),
    sparse: all.sparse && sliceSparse(all.sparse, from, to),
    y: all.y.subarray(from, to),
    persons: all.persons?.subarray(from, to),
    sampleWeights: all.sampleWeights?.subarray(from, to),
    standFor: all.standFor?.slice(first, end),
    offsets: offsets.slice(first, end + 1).map((offset) => offset - from),
    names: names.slice(first, end),
  };
}
