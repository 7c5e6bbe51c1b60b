import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

/** Each folder of src/ may import from the folders listed before it, and from itself. */
const layers = [
  "core",
  "linalg",
  "random",
  "privacy",
  "data",
  "learning",
  "model",
  "federation",
  "report",
  "cli",
];

/** The rule of ESLint itself sees type-only imports too, and needs no module resolver. */
const direction = layers.slice(0, -1).map((layer, i) => ({
  files: [`src/${layer}/**`],
  rules: {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          {
            group: [...layers.slice(i + 1), "node"].map((later) => `**/${later}/**`),
            message: `Imports in src/ point down only: ${layers.join(" <- ")}.`,
          },
        ],
      },
    ],
  },
}));

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
      "no-console": "error",
    },
  },
  ...direction,
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
