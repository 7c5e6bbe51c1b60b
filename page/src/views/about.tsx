/**
 * The words used on the page.
 * @module
 */
import { oddsFactor } from "../text/numbers.js";

const WORDS: readonly (readonly [word: string, meaning: string])[] = [
  [
    "Task",
    "One owner of data with a model of its own: a school, a hospital, a phone. The whole task is protected, not just one of its rows.",
  ],
  [
    "Epsilon",
    `How much can be learned about one task from all that is released. Where the guarantee holds, and compares a task with any other in its place (“replace”), the odds of whatever someone believes about it rise by a factor of at most e to the epsilon and a ninth of it: ${[0.1, 1, 3].map((epsilon) => `${oddsFactor(epsilon)} at ${epsilon}`).join(", ")} (rounded up).`,
  ],
  [
    "Delta",
    "Ten times it is the chance that this promise of epsilon fails. It should be well below one in the number of tasks.",
  ],
  [
    "Curator",
    "Who sums up the models and adds the noise, here whoever uses this page: it has all rows and must be trusted with them. In a federated run it sees what tasks share, never their rows.",
  ],
  [
    "Noise and signal",
    "Signal is how large the sum of all models is, noise how large the random numbers added to it. Many tasks make much signal; the noise needed to hide one of them stays the same.",
  ],
  [
    "Error (nMSE)",
    "Mean squared error on unseen rows, divided by the variance of the target: 0 is perfect, 1 is no better than guessing the average.",
  ],
];

export function About() {
  return (
    <section id="about" tabIndex={-1} aria-labelledby="about-title">
      <h2 id="about-title">The words</h2>
      <dl class="glossary">
        {WORDS.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
