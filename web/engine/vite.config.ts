/** The engine as one file for others, beside the WebAssembly that it loads. */
import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  define: { ENGINE_DIGESTS: process.env.ENGINE_DIGESTS ?? 'null' },
  build: {
    outDir: '../src/splendor/wasm/built',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: 'engine/index.ts', formats: ['es'], fileName: () => 'engine.js' },
  },
})
