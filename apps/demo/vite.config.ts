import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  clearScreen: false,
  // Workers import modules; the default 'iife' cannot be split.
  worker: { format: 'es' },
})
