import { rspack } from '@rspack/core'

const compiler = rspack({
  mode: 'production',
  // The size of the app is not under test.
  performance: false,
  entry: './src/main.js',
  output: { path: `${import.meta.dirname}/dist`, filename: 'main.js', publicPath: '/' },
})
compiler.run((error, stats) => {
  if (error) throw error
  console.log(stats.toString({ preset: 'errors-warnings' }))
  process.exitCode = stats.hasErrors() || stats.hasWarnings() ? 1 : 0
})
