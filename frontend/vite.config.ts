import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { markdown } from "./markdown";

// The server for `npm run dev` is a running `outplay serve`; the built files are served by it.
const SERVER = process.env.OUTPLAY_SERVER ?? "http://127.0.0.1:8642";

export default defineConfig({
  plugins: [markdown(), svelte()],
  base: "./", // the server completes the addresses in index.html: it knows its sub-path
  build: {
    outDir: "../src/outplay/web/static",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0, // the Content-Security-Policy allows no data: URLs
    modulePreload: { polyfill: false },
  },
  server: { fs: { allow: [".."] }, proxy: { "/api": { target: SERVER, ws: true, changeOrigin: true } } },
  test: { include: ["tests/**/*.test.ts"], pool: "threads" }, // files that need a page ask for happy-dom themselves
});
