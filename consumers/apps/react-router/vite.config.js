import { offthread } from '@offthread/core/vite'
import { reactRouter } from '@react-router/dev/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  clearScreen: false,
  // React Router finds the packages of a page late, and reloads it then.
  optimizeDeps: { entries: ['app/**/*.jsx'] },
  plugins: [reactRouter(), offthread()],
})
