import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  clearScreen: false,
  worker: { format: 'es' },
  build: {
    chunkSizeWarningLimit: 1000,
    rolldownOptions: { input: ['index.html', 'stored.html'] },
  },
})
