import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../testing/scripted.ts'
import { defineTool } from '../tools/definition.ts'
import { resolveSettings } from './settings.ts'

test('[V1] an option that is left out has the default of the specification', () => {
  vi.stubGlobal('navigator', { hardwareConcurrency: 4 })
  const { kernel, ...settings } = resolveSettings({ model: scriptedModel() })
  vi.unstubAllGlobals()

  expect(settings).toMatchObject({
    maxConcurrency: 8,
    maxArtifactBytes: 512 * 1024 * 1024,
    abortGraceMs: 250,
    hookTimeoutMs: 10_000,
    streamIdleMs: 60_000,
    updateIntervalMs: 50,
    summarize: null,
  })
  expect(kernel).toMatchObject({
    toolExecution: 'parallel',
    toolMode: 'auto',
    approvalMode: 'wait',
    steeringMode: 'one-at-a-time',
    followUpMode: 'one-at-a-time',
    maxTurns: 5,
    maxCallsPerTurn: 64,
    maxToolResultChars: 10_000,
    retry: { maxAttempts: 4, baseMs: 1000, capMs: 30_000 },
    loop: { noteAt: 3, stopAt: 6 },
    deadlineMs: null,
    budget: {},
    compaction: null,
  })
  const inputSchema = z.object({})
  expect(defineTool({ name: 'now', description: 'Tells the time.', inputSchema })).toMatchObject({
    timeoutMs: 60_000,
    place: 'worker',
    needsApproval: false,
    executionMode: 'parallel',
    updateIntervalMs: null,
  })
})
