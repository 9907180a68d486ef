import { svelte, vitePreprocess } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

const server = process.env.SPLENDOR_SERVER ?? 'http://127.0.0.1:8000'

/** Few requests: what every page needs is one file, what every board needs another. */
function part(id: string): string | undefined {
  if (/src\/lib\/(proof|agents|confirm)/.test(id)) return undefined // what one page alone needs
  if (/src\/lib\/(happenings|promises|results|sound|synthesis)\.ts/.test(id)) return 'board' // the start page needs none of them
  if (/node_modules\/svelte|src\/(lib|ui|api|art)\/|src\/(App\.svelte|app\.css|pages\/Home)|src\/board\/(Card|NobleTile|seats)/.test(id)) return 'base'
  return id.includes('src/board/') ? 'board' : undefined
}

export default defineConfig({
  plugins: [svelte({ preprocess: vitePreprocess() })],
  define: { ENGINE_DIGESTS: process.env.ENGINE_DIGESTS ?? 'null', ENGINE_BYTES: process.env.ENGINE_BYTES ?? 'null' },
  // scripts and styles find each other by where they are themselves, so that all works in a folder of any web host
  experimental: { renderBuiltUrl: (file, { hostType }) => (hostType === 'html' ? `/${file}` : { relative: true }) },
  worker: { format: 'es' },
  build: {
    outDir: '../src/splendor/server/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // nothing as data: in style sheets, so that the content policy can stay strict
    modulePreload: { polyfill: false },
    cssCodeSplit: true, // the first page waits for one style sheet, and each other page brings its own
    manifest: 'build.json',
    rollupOptions: { input: ['index.html', 'embed.html'], output: { manualChunks: part } },
  },
  server: { proxy: { '/api': { target: server, ws: true, changeOrigin: true }, '/engine': { target: server, changeOrigin: true } } },
})
