/**
 * What this is about, for someone who has read nothing.
 * @module
 */

export function Introduction() {
  return (
    <section class="introduction">
      <h1>Learn together without showing your data</h1>
      <p class="lead">
        Many schools, hospitals or phones each want a model of their own, and each has too few
        examples for a good one. Together they would have enough. But a model gives away something
        about the data it was learned from. Here they share one noisy summary instead, and you can
        see what that protects and what it costs.
      </p>
      <ol class="steps">
        <li>
          <strong>At home.</strong> Each task learns a model from its own rows. The data stays
          there.
        </li>
        <li>
          <strong>In the middle.</strong> A curator sums up all models and adds noise, so that the
          summary hardly depends on any one task.
        </li>
        <li>
          <strong>At home again.</strong> Each task learns once more, with the summary as a hint
          about what good models look like.
        </li>
      </ol>
    </section>
  );
}
