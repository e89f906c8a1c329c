import { defineConfig } from 'vite'
// In your app: '@offthread/core/vite'. Here Node would find TypeScript behind that name.
import { offthread } from '../../packages/core/src/vite.ts'

export default defineConfig({ plugins: [offthread()] })
