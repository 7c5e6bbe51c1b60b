/** A fit of some seconds in the page's own thread, with the gaps between the frames it leaves. */
import { MpLowRank, simulate } from "mp-mtl";

function fit(options) {
  const { train } = simulate({ pattern: "low-rank", tasks: 320, features: 30, seed: 1 });
  const random = { mode: "seeded", seed: 1 };
  const settings = { epsilon: 1, delta: 1e-4, clip: 20, lambda: 1, rounds: 4000, random };
  return new MpLowRank(settings).fit(train, options);
}

/** Frames until `done`, as the times between them. */
async function framesUntil(done) {
  const gaps = [];
  let last = performance.now();
  let over = false;
  done.finally(() => (over = true)).catch(() => undefined);
  while (!over) {
    const now = await new Promise((resolve) =>
      requestAnimationFrame(() => resolve(performance.now())),
    );
    gaps.push(now - last);
    last = now;
  }
  return gaps;
}

export async function longFit() {
  const since = performance.now();
  const fitting = fit({});
  const gaps = await framesUntil(fitting);
  await fitting;
  gaps.sort((a, b) => b - a);
  return { seconds: (performance.now() - since) / 1000, frames: gaps.length, longest: gaps[0] };
}

export async function abortedFit() {
  const controller = new AbortController();
  let rounds = 0;
  const fitting = fit({ signal: controller.signal, onRound: () => rounds++ });
  setTimeout(() => controller.abort(), 200);
  let asked = 0;
  controller.signal.addEventListener("abort", () => (asked = performance.now()));
  try {
    await fitting;
  } catch (error) {
    return { name: error.name, rounds, waited: performance.now() - asked };
  }
  return { name: "not aborted", rounds };
}
