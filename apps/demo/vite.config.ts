import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
// Node reads this file, and Node reads no TypeScript of a package: elsewhere it is '@offthread/core/vite'.
import { offthread } from '../../packages/core/src/vite.ts'
import { serviceWorker } from './service-worker-plugin.ts'

/** What the built page may load: itself, and nothing else. It may call the server that its user names. */
const policy = [
  "default-src 'none'",
  // WebAssembly is compiled on the page, so it needs a word of its own.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  // The user names the server at run time. Without encryption only this device.
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  // A text never becomes code: not as HTML, not as a script. The page decides which scripts have an address.
  "require-trusted-types-for 'script'",
  'trusted-types default',
].join('; ')

/** Only in the build: the dev server writes styles and scripts into the page. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'offthread:content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
        injectTo: 'head-prepend',
      },
    ],
  }
}

export default defineConfig({
  plugins: [react(), offthread(), contentSecurityPolicy(), serviceWorker()],
  clearScreen: false,
  // The plugin has workers prepared; what only a lazy module imports would be found, and the page reloaded, at the
  // first call.
  optimizeDeps: { entries: ['index.html', 'src/**/*.{worker,lazy}.ts'] },
  // React, zod, the SDK and the planner are needed at once: separate files would save nothing.
  build: { chunkSizeWarningLimit: 800 },
})
