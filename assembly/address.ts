/** Where entry i of a vector of float64s lies. */
@inline export function at(base: usize, i: i32): usize {
  return base + ((<usize>i) << 3);
}
