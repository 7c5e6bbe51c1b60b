/**
 * The whole page.
 * @module
 */
import { announcement } from "../state/announce.js";
import { About } from "./about.js";
import { Controls } from "./settings/controls.js";
import { Introduction } from "./introduction.js";
import { Leakage } from "./leakage/leakage.js";
import { Results } from "./results/results.js";

export function App() {
  return (
    <>
      <a class="skip" href="#learn">
        Skip to the controls
      </a>
      <header class="top">
        <p class="brand">
          mp-mtl <span>playground</span>
        </p>
        <nav aria-label="Sections">
          <a href="#learn">Learn together</a>
          <a href="#leakage">What leaks</a>
          <a href="#about">Words</a>
        </nav>
      </header>
      <main>
        <Introduction />
        <div id="learn" class="workbench" tabIndex={-1}>
          <Controls />
          <Results />
        </div>
        <Leakage />
        <About />
      </main>
      <footer>
        <p>
          Everything on this page is computed in your browser. It sends nothing anywhere, and its
          content security policy forbids it to.
        </p>
      </footer>
      <p class="unseen" role="status" aria-live="polite">
        {announcement.value}
      </p>
    </>
  );
}
