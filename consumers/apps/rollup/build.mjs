import commonjs from '@rollup/plugin-commonjs'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import replace from '@rollup/plugin-replace'
import workers from '@surma/rollup-plugin-off-main-thread'
import { rollup } from 'rollup'

// Its workers are modules, which every browser of today runs; this option stops the plugin's warning.
const modules = { silenceESMWorkerWarning: true }
const build = await rollup({
  input: 'src/main.js',
  plugins: [
    workers(modules),
    nodeResolve({ browser: true }),
    // For React.
    commonjs(),
    replace({ 'process.env.NODE_ENV': '"production"', preventAssignment: true }),
  ],
  onwarn: ({ message }) => {
    // A comment there mentions an annotation.
    if (!message.includes('node_modules/zod/')) throw new Error(message)
  },
})
await build.write({ dir: 'dist', format: 'es' })
