/**
 * Orders of values: u32 index lists.
 */

/** order[n] <- the indices 0..n-1 by ascending value; insertion sort, quick on nearly sorted values. */
export function ascending(values: usize, n: i32, order: usize): void {
  for (let i = 0; i < n; i++) {
    const value = load<f64>(values + ((<usize>i) << 3));
    let at = order + ((<usize>i) << 2);
    while (at > order) {
      const before = load<u32>(at - 4);
      if (!(load<f64>(values + ((<usize>before) << 3)) > value)) break;
      store<u32>(at, before);
      at -= 4;
    }
    store<u32>(at, i);
  }
}

/**
 * Merges two ascending runs of one list: order[0..split-1], and order[split..n-1] whose indices
 * count from `split`. spare is u32[n].
 */
export function mergeOrders(values: usize, order: usize, split: i32, n: i32, spare: usize): void {
  memory.copy(spare, order, (<usize>n) << 2);
  let a = spare;
  const aEnd = spare + ((<usize>split) << 2);
  let b = aEnd;
  const end = spare + ((<usize>n) << 2);
  while (a < aEnd || b < end) {
    let takeFirst = b == end;
    if (!takeFirst && a < aEnd) {
      const x = load<f64>(values + ((<usize>load<u32>(a)) << 3));
      const y = load<f64>(values + ((<usize>(load<u32>(b) + split)) << 3));
      takeFirst = x <= y;
    }
    if (takeFirst) {
      store<u32>(order, load<u32>(a));
      a += 4;
    } else {
      store<u32>(order, load<u32>(b) + split);
      b += 4;
    }
    order += 4;
  }
}
