import { defineConfig } from '@rsbuild/core'

export default defineConfig({
  source: { entry: { index: './src/main.js' } },
  html: { tags: [{ tag: 'link', attrs: { rel: 'icon', href: 'data:,' } }] },
})
