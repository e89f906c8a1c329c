/** What the consumers install: exact versions, one list. An upgrade is a commit of its own. */
export const versions = {
  '@anthropic-ai/sdk': '1.11.0',
  '@react-router/dev': '8.4.0',
  '@react-router/node': '8.4.0',
  '@react-router/serve': '8.4.0',
  '@rollup/plugin-commonjs': '29.0.3',
  '@rollup/plugin-node-resolve': '16.0.3',
  '@rollup/plugin-replace': '6.0.3',
  '@rspack/core': '2.3.2',
  '@surma/rollup-plugin-off-main-thread': '2.2.3',
  '@types/node': '20.19.43',
  '@types/react': '19.3.0',
  esbuild: '0.28.2',
  isbot: '5.2.3',
  next: '16.4.6',
  parcel: '2.16.4',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'react-router': '8.4.0',
  rollup: '4.68.7',
  vite: '8.3.8',
  webpack: '5.112.2',
  zod: '4.6.7',
}

/** The TypeScript majors that read our types, newest first. */
export const typescriptVersions = ['7.0.2', '6.0.3', '5.9.3']
