import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

const server = process.env.SPLENDOR_SERVER ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [svelte({ preprocess: vitePreprocess() })],
  build: {
    outDir: '../src/splendor/server/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // nothing as data: in style sheets, so that the content policy can stay strict
    modulePreload: { polyfill: false },
    cssCodeSplit: false, // one small style sheet: pages that come later wait for none
    manifest: 'build.json',
    rollupOptions: { output: { experimentalMinChunkSize: 12_000 } }, // few requests
  },
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: true } } },
})
