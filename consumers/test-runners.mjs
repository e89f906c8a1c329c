import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runQuietly } from './run-quietly.mjs'

/** @typedef {import('./consumer.ts').Consumer} Consumer */

const reactSources = fileURLToPath(new URL('../packages/react/src', import.meta.url))

/**
 * Tests in the runners of others: they open no page.
 *
 * @type {readonly Consumer[]}
 */
export const testRunnerConsumers = [
  jest('jest-node', 'node'),
  jest('jest-jsdom', './jsdom-with-globals.cjs'),
  reactTests('react-18', [], { react: '18.3.1', 'react-dom': '18.3.1' }),
  reactTests('react-compiler', ['@babel/core', 'babel-plugin-react-compiler']),
]

/**
 * The tests of the hooks and parts, and of the template, in another setting.
 *
 * @param {string} name
 * @param {readonly string[]} packages
 * @param {Consumer['versions']} [versions]
 * @returns {Consumer}
 */
function reactTests(name, packages, versions = {}) {
  return {
    ...{ name, mode: 'none', csp: '', template: name, versions },
    packages: [
      ...['react', 'react-dom', 'zod', 'zustand', 'vite', 'vitest', 'jsdom'],
      ...testing(),
      ...packages,
    ],
    serve: async (folder) => {
      cpSync(reactSources, join(folder, 'tests'), {
        recursive: true,
        filter: (path) => !path.includes('.browser.test.'),
      })
      const copy = ['node_modules/@offthread/react/bin/copy.mjs', 'copy', 'tool-card']
      await runQuietly(process.execPath, [...copy, '--to', 'tests/look'], { cwd: folder })
      const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--dir', 'tests']
      await runQuietly(process.execPath, vitest, { cwd: folder })
      return null
    },
  }
}

/**
 * @param {string} name
 * @param {string} environment
 * @returns {Consumer}
 */
function jest(name, environment) {
  return {
    name,
    mode: 'none',
    csp: '',
    template: 'jest',
    packages: ['jest', 'jest-environment-jsdom', 'react', 'react-dom', 'zod', ...testing()],
    serve: async (folder) => {
      const args = ['node_modules/jest/bin/jest.js', '--env', environment]
      await runQuietly(process.execPath, ['--experimental-vm-modules', ...args], { cwd: folder })
      return null
    },
  }
}

function testing() {
  return ['@testing-library/dom', '@testing-library/react', '@vitejs/plugin-react']
}
