/** What the consumers install: exact versions, one list. An upgrade is a commit of its own. */
export const versions = {
  '@anthropic-ai/sdk': '1.11.0',
  '@rspack/core': '2.3.2',
  '@types/node': '20.19.43',
  '@types/react': '19.3.0',
  esbuild: '0.28.2',
  next: '16.4.6',
  react: '19.3.1',
  'react-dom': '19.3.1',
  vite: '8.3.8',
  webpack: '5.112.2',
  zod: '4.6.7',
}

/** The TypeScript majors that read our types, newest first. */
export const typescriptVersions = ['7.0.2', '6.0.3', '5.9.3']
