import { offthread } from '@offthread/core/vite'
import { defineConfig } from 'vite'

// What the plugin sets, for apps without it.
const withoutPlugin = {
  optimizeDeps: { entries: ['index.html', 'src/**/*.worker.js'] },
  worker: { format: 'es' },
}

/** A library is served from a folder that it does not know, and brings React along here. */
const asLibrary = {
  base: './',
  define: { 'process.env.NODE_ENV': '"production"' },
  build: { lib: { entry: 'src/main.js', formats: ['es'], fileName: process.env.LIBRARY } },
}

export default defineConfig({
  base: process.env.BASE ?? '/',
  clearScreen: false,
  server: { headers: { 'content-security-policy': process.env.CSP ?? '' } },
  ...(process.env.PLUGIN === 'none' ? withoutPlugin : { plugins: [offthread()] }),
  ...(process.env.LIBRARY && asLibrary),
})
