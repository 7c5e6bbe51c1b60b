import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import importX from "eslint-plugin-import-x";
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

const zones = layers.map((layer, i) => ({
  target: `./src/${layer}`,
  from: layers.slice(i + 1).map((later) => `./src/${later}`),
  message: `Imports in src/ point down only: ${layers.join(" <- ")}.`,
}));

export default tseslint.config(
  { ignores: ["dist", "build", "coverage", "node_modules", "src/core/bytes", "assembly"] },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  prettier,
  {
    plugins: { "import-x": importX },
    settings: {
      "import-x/resolver": {
        node: { extensions: [".ts", ".js"] },
      },
      "import-x/extensions": [".ts", ".js"],
    },
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "import-x/no-restricted-paths": [
        "error",
        { zones: zones.filter(({ from }) => from.length > 0) },
      ],
      "no-console": "error",
    },
  },
  {
    files: ["scripts/**", "bench/**", "src/cli/**", "*.config.*"],
    languageOptions: {
      globals: { console: "readonly", process: "readonly", URL: "readonly", Buffer: "readonly" },
    },
    rules: { "no-console": "off" },
  },
);
