/** y += alpha x for f64[n]. */
export function axpy(alpha: f64, x: usize, y: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const at = (<usize>i) << 3;
    store<f64>(y + at, load<f64>(y + at) + alpha * load<f64>(x + at));
  }
}
