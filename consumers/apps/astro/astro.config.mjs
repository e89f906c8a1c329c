import { offthread } from '@offthread/core/vite'
import { defineConfig } from 'astro/config'

export default defineConfig({ vite: { plugins: [offthread()] } })
