import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/** What a literal holds stands in it itself: a literal spread in it makes another object or array for nothing but shorter code. */
const plainLiterals = {
  selector:
    "ObjectExpression > SpreadElement > ObjectExpression[properties.length>0], " +
    "ArrayExpression > SpreadElement > ArrayExpression[elements.length>0]",
  message: "Write what it holds into the literal itself.",
};

/** In a folder whose name has a blank it is no path. */
const pathOfUrl = {
  selector: "MemberExpression[property.name='pathname'][object.callee.name='URL']",
  message: "A URL's pathname is escaped; use fileURLToPath.",
};

/** Each folder of src/ may import from the folders listed before it, and from itself. */
export const layers = [
  "core",
  "linalg",
  "random",
  "privacy",
  "data",
  "learning",
  "model",
  "federation",
  "charts",
  "report",
  "cli",
];

/** The same inside src/learning/. */
export const learningLayers = [
  "workers",
  "bounds",
  "tasks",
  "models",
  "fitted",
  "round",
  "sharing",
  "steps",
  "options",
  "parallel",
  "release",
  "votes",
  "convex",
  "local-selection",
  "families",
  "prospects",
  "estimators",
  "auto",
  "tuning",
  "audit",
];

/** The same inside src/data/. */
export const dataLayers = [
  "sparse",
  "table",
  "read",
  "columns",
  "schema",
  "provenance",
  "split",
  "tasks",
  "checks",
  "transform",
  "datasets",
  "encode",
  "inspect",
];

/** The same inside src/cli/. */
export const cliLayers = [
  "terminal",
  "words",
  "options",
  "tables",
  "account",
  "fitted",
  "tuning",
  "evaluation",
  "fit",
  "federated",
  "participant",
  "operator",
  "registry",
  "commands",
];

/** The same inside folders of these that have folders of their own. */
const innerLayers = {
  "data/read": ["bytes", "text", "parquet"],
  "data/read/parquet": ["form"],
  "cli/evaluation": ["cells", "plan", "findings"],
  "federation/protocol": ["machine", "messages", "rules", "plan", "words", "party"],
  "federation/curator": ["events", "members", "rounds"],
  "federation/nats": ["connection", "bucket"],
  "federation/secure-aggregation": ["keys", "integers", "plan", "attempt", "run"],
  "federation/verified-sums": ["field", "proof", "plan", "aggregators", "run"],
};

/** Families of methods stand side by side: none imports another. */
const families = "projected prior averaging record-level mixed subspace custom alone".split(" ");

const above = (group, message) => ({ group: group.map((name) => `**/${name}/**`), message });

const srcRule = (i) =>
  above(
    [...layers.slice(i + 1), "node"],
    `Imports in src/ point down only: ${layers.join(" <- ")}.`,
  );

const learningRule = (i) =>
  above(
    learningLayers.slice(i + 1),
    `Imports in src/learning/ point down only: ${learningLayers.join(" <- ")}.`,
  );

/** The rule of ESLint itself sees type-only imports too, and needs no module resolver. */
const restrict = (folder, ...patterns) => ({
  files: [`src/${folder}/**`],
  rules: { "no-restricted-imports": ["error", { patterns }] },
});

/** A folder that lies in another imports no file beside which it lies, and none of the folders listed after it. */
function stack(folder, names, outer) {
  return names.flatMap((name, i) => {
    const higher = ["[\\w-]+\\.js$", ...names.slice(i + 1).map((other) => `${other}/`)];
    const rule = {
      regex: `^(\\.\\./)+(${higher.join("|")})`,
      message: `Imports in src/${folder}/ point down only: ${names.join(" <- ")} <- its own files.`,
    };
    const [path, rules] = [`${folder}/${name}`, [...outer, rule]];
    return [restrict(path, ...rules), ...stack(path, innerLayers[path] ?? [], rules)];
  });
}

const inLearning = srcRule(layers.indexOf("learning"));
const direction = [
  ...layers.slice(0, -1).map((layer, i) => restrict(layer, srcRule(i))),
  ...stack("data", dataLayers, [srcRule(layers.indexOf("data"))]),
  ...stack("cli", cliLayers, []),
  ...Object.keys(innerLayers)
    .filter((folder) => folder.startsWith("federation/"))
    .flatMap((folder) =>
      stack(folder, innerLayers[folder], [srcRule(layers.indexOf("federation"))]),
    ),
  ...learningLayers.map((layer, i) =>
    restrict(
      `learning/${layer}`,
      inLearning,
      ...(learningRule(i).group.length ? [learningRule(i)] : []),
    ),
  ),
  ...families.map((family) =>
    restrict(
      `learning/families/${family}`,
      inLearning,
      learningRule(learningLayers.indexOf("families")),
      above(
        families.filter((other) => other !== family),
        "A family of methods imports no other family.",
      ),
    ),
  ),
];

export default tseslint.config(
  { ignores: ["dist", "build", "coverage", "node_modules", "src/core/bytes", "assembly"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  prettier,
  {
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", varsIgnorePattern: "^_" },
      ],
      // Interfaces of options are what their declarations describe, and nothing more.
      "@typescript-eslint/no-empty-object-type": [
        "error",
        { allowInterfaces: "with-single-extends" },
      ],
      "no-console": "error",
      "no-restricted-syntax": ["error", plainLiterals, pathOfUrl],
    },
  },
  ...direction,
  {
    files: ["src/**", "page/src/**"],
    rules: {
      "max-lines": ["error", 320],
      "max-lines-per-function": ["error", 80],
    },
  },
  {
    // The language leaves their last bits to the engine: see src/core/elementary.ts.
    files: ["core", "linalg", "random", "privacy", "data", "learning", "model", "federation"].map(
      (layer) => `src/${layer}/**`,
    ),
    rules: {
      "no-restricted-properties": [
        "error",
        ...["exp", "expm1", "log", "log1p", "log2", "log10", "pow", "hypot", "cbrt"]
          .concat(["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh"])
          .map((property) => ({
            object: "Math",
            property,
            message: "Engines differ in its last bits; use src/core/elementary.ts.",
          })),
      ],
      "no-restricted-syntax": [
        "error",
        plainLiterals,
        {
          selector: "BinaryExpression[operator='**'][left.value!=2][right.value!=2]",
          message:
            "Engines differ in the last bits of powers other than x ** 2 and 2 ** k; use pow.",
        },
      ],
    },
  },
  {
    files: [
      "scripts/**",
      "bench/**",
      "deploy/**",
      "examples/**/*.js",
      "src/cli/**",
      "test/hosts/**",
      "*.config.*",
    ],
    languageOptions: {
      globals: {
        AbortController: "readonly",
        console: "readonly",
        process: "readonly",
        URL: "readonly",
        Buffer: "readonly",
        TextDecoder: "readonly",
        TextEncoder: "readonly",
        crypto: "readonly",
      },
    },
    rules: { "no-console": "off" },
  },
  {
    files: ["page/src/service-worker.js"],
    languageOptions: {
      globals: Object.fromEntries(
        ["__FILES__", "caches", "fetch", "self", "URL"].map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    // Scripts of pages and workers.
    files: ["test/hosts/project/**", "examples/**"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "AbortController",
          "console",
          "crypto",
          "document",
          "fetch",
          "performance",
          "process",
          "requestAnimationFrame",
        ]
          .concat(["Response", "setTimeout", "URL", "Worker"])
          .map((name) => [name, "readonly"]),
      ),
    },
    rules: { "no-console": "off" },
  },
);
