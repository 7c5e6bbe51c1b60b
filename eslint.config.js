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
    files: ["scripts/**", "bench/**", "deploy/**", "src/cli/**", "*.config.*"],
    languageOptions: {
      globals: {
        AbortController: "readonly",
        console: "readonly",
        process: "readonly",
        URL: "readonly",
        Buffer: "readonly",
        TextDecoder: "readonly",
        TextEncoder: "readonly",
      },
    },
    rules: { "no-console": "off" },
  },
);
