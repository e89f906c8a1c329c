import webpack from 'webpack'

const compiler = webpack({
  mode: 'production',
  // How big an app may be is not what is asked here.
  performance: false,
  entry: './src/main.js',
  output: {
    path: `${import.meta.dirname}/dist`,
    filename: 'main.js',
    publicPath: process.env.PUBLIC_PATH ?? '/',
    // Workers come from the page's own origin, wherever the other assets lie.
    workerPublicPath: '/',
  },
})
compiler.run((error, stats) => {
  if (error) throw error
  console.log(stats.toString({ preset: 'errors-warnings' }))
  process.exitCode = stats.hasErrors() || stats.hasWarnings() ? 1 : 0
})
