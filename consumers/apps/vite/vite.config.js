import { offthread } from '@offthread/core/vite'
import { defineConfig } from 'vite'

// What the plugin sets, for apps without it.
const withoutPlugin = {
  optimizeDeps: { entries: ['index.html', 'src/**/*.worker.js'] },
  worker: { format: 'es' },
}

export default defineConfig({
  base: process.env.BASE ?? '/',
  clearScreen: false,
  server: { headers: { 'content-security-policy': process.env.CSP ?? '' } },
  ...(process.env.PLUGIN === 'none' ? withoutPlugin : { plugins: [offthread()] }),
})
