import { build } from 'esbuild'

await build({
  // esbuild does not follow `new Worker(new URL(…))`: the worker is an entry of its own, in the same flat folder.
  entryPoints: ['src/main.js', 'src/tools.worker.js'],
  bundle: true,
  format: 'esm',
  splitting: true,
  minify: true,
  outdir: 'dist',
  define: { 'process.env.NODE_ENV': '"production"' },
})
