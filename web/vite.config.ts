import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

const server = process.env.SPLENDOR_SERVER ?? 'http://127.0.0.1:8000'

/** Few requests: what every page needs is one file, what every board needs another. */
function part(id: string): string | undefined {
  if (/node_modules\/svelte|src\/(lib|ui|api|art)\/|src\/board\/(Card|NobleTile|seats)/.test(id)) return 'base'
  return id.includes('src/board/') ? 'board' : undefined
}

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
    rollupOptions: { output: { manualChunks: part } },
  },
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: true } } },
})
