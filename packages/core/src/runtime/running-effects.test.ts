import { expect, test } from 'vitest'
import type { Draft } from '../kernel/draft.ts'
import type { Effect } from '../kernel/effect.ts'
import { emptyState } from '../kernel/state.ts'
import { createRunningEffects, type EffectScope, type StartEffect } from './running-effects.ts'

const a: Effect = { type: 'prepare_call', toolCallId: 'a', isEdited: false }
const b: Effect = { type: 'prepare_call', toolCallId: 'b', isEdited: false }
const c: Effect = { type: 'prepare_call', toolCallId: 'c', isEdited: false }
const fact: Draft = { type: 'warning', code: 'test', message: 'It happened.' }

test('performs an effect once for as long as it is wanted, and again when it is wanted again', () => {
  const { effects, seen } = create()

  effects.reconcile([a])
  effects.reconcile([a, b])
  effects.reconcile([b])
  effects.reconcile([a, b])

  expect(seen).toEqual(['start a', 'start b', 'cancel a', 'start a'])
})

test('of many effects only those are looked at that have changed', () => {
  const run = { type: 'run_call', attempt: 1, delayMs: 0, args: {}, stop: false } as const
  const many = Array.from({ length: 1000 }, (_, n) => ({ ...run, toolCallId: `${n}` }))
  const { effects, seen } = create()
  effects.reconcile(many)
  seen.length = 0

  effects.reconcile(many.map((effect, n) => ({ ...effect, stop: n === 500 })))
  effects.reconcile(many.filter((_, n) => n !== 500))

  expect(seen).toEqual(['update 500', 'cancel 500'])
})

test('after a start that threw, what is not wanted is cancelled and the rest is started', () => {
  let isBroken = true
  const { effects, seen } = create((effect) => {
    if (effect === b && isBroken) throw new Error('Not now.')
  })
  effects.reconcile([c])
  expect(() => effects.reconcile([c, b, a])).toThrow('Not now.')
  isBroken = false

  effects.reconcile([b, a])

  expect(seen).toEqual(['start c', 'start b', 'cancel c', 'start b', 'start a'])
})

test('[I33] a cancelled effect writes nothing, even after it is wanted again', () => {
  const { effects, scopes, written } = create()
  effects.reconcile([a])
  effects.reconcile([])
  effects.reconcile([a])

  expect(scopes[0]?.commit(fact)).toBe(false)
  expect(written).toEqual([])
  expect(scopes[1]?.commit(fact)).toBe(true)
  expect(written).toEqual([fact])
})

test('[I33] an effect that is cancelled by what was due before writes nothing', () => {
  const { effects, scopes, written, due } = create()
  effects.reconcile([a])
  due.push([])

  expect(scopes[0]?.commit(fact)).toBe(false)
  expect(written).toEqual([])
})

test('an effect may write before its start has returned', () => {
  const { effects, written } = create((_, scope) => {
    expect(scope.commit(fact)).toBe(true)
  })

  effects.reconcile([a])

  expect(written).toEqual([fact])
})

test('[I33] after dispose nothing is started and nothing is written, not even by an effect that is being started', () => {
  const { effects, scopes, seen, written } = create((effect, scope) => {
    if (effect === a) effects.dispose()
    expect(scope.commit(fact)).toBe(false)
  })

  effects.reconcile([a, b])
  effects.reconcile([b])

  expect(seen).toEqual(['start a', 'cancel a'])
  expect(scopes[0]?.commit(fact)).toBe(false)
  expect(written).toEqual([])
})

function create(onStart: (effect: Effect, scope: EffectScope) => void = () => {}) {
  const seen: string[] = []
  const scopes: EffectScope[] = []
  const written: Draft[] = []
  /** What will be wanted after facts that are due. */
  const due: (readonly Effect[])[] = []
  const startEffect: StartEffect = (effect, scope) => {
    const name = 'toolCallId' in effect ? effect.toolCallId : effect.type
    seen.push(`start ${name}`)
    scopes.push(scope)
    onStart(effect, scope)
    return {
      update: () => seen.push(`update ${name}`),
      cancel: () => seen.push(`cancel ${name}`),
    }
  }
  const effects = createRunningEffects(startEffect, {
    state: () => emptyState('session_1'),
    write: (...drafts) => void written.push(...drafts),
    stored: () => Promise.resolve(),
    writeDue: () => {
      for (const wanted of due.splice(0)) effects.reconcile(wanted)
    },
  })
  return { effects, seen, scopes, written, due }
}
