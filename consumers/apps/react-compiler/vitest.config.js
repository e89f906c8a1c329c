import { transformAsync } from '@babel/core'
import react from '@vitejs/plugin-react'
import compiler from 'babel-plugin-react-compiler'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [compiledByReact(), react()],
  test: {
    environment: 'jsdom',
    testTimeout: 30_000,
    // Node would load what the packages load late, and the tests wait for what Vitest loads.
    server: { deps: { inline: [/@offthread/] } },
  },
})

/** Compiles the hooks and parts, and the components of their tests. */
function compiledByReact() {
  return {
    name: 'react-compiler',
    enforce: 'pre',
    transform: {
      filter: { id: /\/tests\/.*\.tsx?$/ },
      handler: async (code, filename) => {
        // What our code does against the rules of React, or what the compiler leaves out, is an error. Tests may.
        const panicThreshold = /\.(test|fixtures)\./.test(filename) ? 'none' : 'all_errors'
        const compiled = await transformAsync(code, {
          filename,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          parserOpts: { plugins: ['typescript', 'jsx'] },
          plugins: [[compiler, { panicThreshold }]],
        })
        return { code: compiled.code, map: compiled.map }
      },
    },
  }
}
