import { defineConfig } from 'vite'

export default defineConfig({
  base: process.env.BASE ?? '/',
  clearScreen: false,
  server: { headers: { 'content-security-policy': process.env.CSP } },
  worker: { format: 'es' },
})
