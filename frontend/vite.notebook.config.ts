import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The board for notebooks: one module with everything in it, which anywidget sends to the page.
export default defineConfig({
  plugins: [svelte()],
  publicDir: false,
  build: {
    outDir: "../src/outplay/notebook/static",
    emptyOutDir: true,
    target: "es2022",
    lib: { entry: "src/notebook/widget.svelte.ts", formats: ["es"], fileName: () => "widget.js" },
  },
});
