export type { OffthreadPlugin } from './vite/plugin.ts'
export { offthread } from './vite/plugin.ts'
