/**
 * Elementary reflectors H = I - tau v v^T.
 */
import { dot, scale } from "../blas/vector";

/**
 * Below this a squared norm may have lost digits to underflow. The vectors come from a matrix
 * scaled to largest entry about 1, so that taking such a vector for zero costs 1e-140 in norm.
 */
const SMALLEST_SQUARE: f64 = 1e-280;

/**
 * Makes the reflector that maps x[n] to (beta, 0, .., 0): x <- v with v[0] = 1.
 *
 * tau  where 2 / v^T v goes, or 0 when x is already of that form
 * Returns beta. Golub and Van Loan (2013), Algorithm 5.1.1, with the sign of beta opposite to
 * x[0], so that nothing cancels.
 */
export function reflector(x: usize, n: i32, tau: usize): f64 {
  const alpha = load<f64>(x);
  const tail = dot(x + 8, x + 8, n - 1);
  store<f64>(x, 1);
  if (tail < SMALLEST_SQUARE) {
    memory.fill(x + 8, 0, (<usize>(n - 1)) << 3);
    store<f64>(tau, 0);
    return alpha;
  }
  const norm = sqrt(alpha * alpha + tail);
  const beta = alpha > 0 ? -norm : norm;
  scale(1 / (alpha - beta), x + 8, n - 1);
  store<f64>(tau, (beta - alpha) / beta);
  return beta;
}
