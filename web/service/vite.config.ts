/** The service worker as one script beside the page. */
import { defineConfig } from 'vite'

export default defineConfig({
  publicDir: false,
  define: {
    SHELL: process.env.SHELL_FILES ?? '[]',
    ENGINE: process.env.ENGINE_ADDRESSES ?? '[]',
    'process.env.NODE_ENV': '"production"',
  },
  build: {
    outDir: '../src/splendor/server/web',
    emptyOutDir: false,
    target: 'es2022',
    lib: { entry: 'service/sw.ts', name: 'worker', formats: ['iife'], fileName: () => 'sw.js' },
  },
})
