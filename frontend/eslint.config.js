// What the compiler and the formatter do not see: a promise that is not awaited, an `any`, an {#each} without a key.
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default defineConfig(
  { ignores: ["node_modules/", "public/", "src/wire.d.ts"] },
  ts.configs.recommendedTypeChecked,
  svelte.configs.recommended,
  svelte.configs.prettier,
  { languageOptions: { parserOptions: { projectService: true, extraFileExtensions: [".svelte"] } } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: { "svelte/prefer-svelte-reactivity": "off" }, // our sets and maps are replaced, never changed
  },
  {
    // ESLint takes a component's props for `any`; svelte-check knows their types
    files: ["**/*.svelte"],
    rules: Object.fromEntries(
      ["argument", "assignment", "member-access", "return"].map((what) => [
        `@typescript-eslint/no-unsafe-${what}`,
        "off",
      ]),
    ),
  },
  { files: ["*.js"], extends: [ts.configs.disableTypeChecked] },
);
