import type { Plugin } from 'vite'
import { expect, expectTypeOf, test } from 'vitest'
import { type OffthreadPlugin, offthread } from './plugin.ts'

test('is a plugin for Vite, by the types as well', () => {
  expectTypeOf<OffthreadPlugin>().toExtend<Plugin>()
})

test('adds what workers need to a configuration that does not set it', () => {
  expect(offthread().config({})).toEqual({
    worker: { format: 'es' },
    optimizeDeps: { entries: ['**/*.html', '**/*.worker.{js,jsx,mjs,ts,tsx,mts}'] },
  })
})

test('keeps what a configuration sets', () => {
  const said = { worker: { format: 'iife' }, optimizeDeps: { entries: 'src/main.ts' } } as const

  expect(offthread().config(said)).toEqual({
    optimizeDeps: { entries: ['**/*.worker.{js,jsx,mjs,ts,tsx,mts}'] },
  })
})
