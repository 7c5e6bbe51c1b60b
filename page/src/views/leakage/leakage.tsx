/**
 * What leaks: one task with a model unlike the others, under no protection, the papers', and ours.
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import {
  demonstrate,
  LARGEST_EPSILON,
  leakage,
  leakageEpsilon,
  leakageProblem,
  leakageWorking,
} from "../../state/leakage.js";
import { EpsilonSlider } from "../parts/epsilon-slider.js";
import { FirstAttack } from "./first-attack.js";
import { Problem } from "../parts/problem.js";
import { SecondAttack } from "./second-attack.js";

/** Runs once the section comes near the screen: whoever never scrolls here pays nothing. */
function useFirstSight(action: () => void) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        action();
      },
      { rootMargin: "300px" },
    );
    observer.observe(ref.current!);
    return () => observer.disconnect();
  }, []);
  return ref;
}

export function Leakage() {
  const ref = useFirstSight(() => void demonstrate());
  const found = leakage.value;
  return (
    <section ref={ref} id="leakage" tabIndex={-1} class="leakage" aria-labelledby="leakage-title">
      <h2 id="leakage-title">What leaks without protection</h2>
      <p class="lead">
        Ten tasks learn together; the last one has a model a hundred times larger than the others:
        think of a hospital with a rare disease. The other nine want to know it. All they do is look
        at how their own models changed in one round.
      </p>
      <EpsilonSlider
        id="leakage-epsilon"
        label="Epsilon of the round"
        most={LARGEST_EPSILON}
        value={leakageEpsilon.value}
        onInput={(value) => (leakageEpsilon.value = value)}
        onSettled={() => void demonstrate()}
      />
      <Problem text={leakageProblem.value} retry={() => void demonstrate()} />
      <div aria-busy={leakageWorking.value}>
        {found && (
          <>
            <FirstAttack {...found} />
            <SecondAttack {...found} />
          </>
        )}
        {!found && leakageWorking.value && <p class="waiting">The attack is running…</p>}
      </div>
    </section>
  );
}
