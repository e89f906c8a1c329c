import webpack from 'webpack'

const compiler = webpack({
  mode: 'production',
  // The size of the app is not under test.
  performance: false,
  entry: './src/main.js',
  output: {
    path: `${import.meta.dirname}/dist`,
    filename: 'main.js',
    publicPath: process.env.PUBLIC_PATH ?? '/',
    // Workers are loaded from the page's own origin, wherever the other assets are.
    workerPublicPath: '/',
  },
})
compiler.run((error, stats) => {
  if (error) throw error
  console.log(stats.toString({ preset: 'errors-warnings' }))
  process.exitCode = stats.hasErrors() || stats.hasWarnings() ? 1 : 0
})
