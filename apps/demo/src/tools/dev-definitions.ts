import { defineTool } from '@offthread/core'
import { z } from 'zod'

/** Tools that misbehave, to show how the page handles it. Offered under `?dev` only. */
export const devSleep = defineTool({
  name: 'dev_sleep',
  label: 'Sleep (dev)',
  description: 'Waits for some milliseconds. Stops at once when it is asked to.',
  inputSchema: z.object({ ms: z.int().min(0).max(600_000) }),
  outputSchema: z.object({ slept: z.number() }),
})

export const devSpin = defineTool({
  name: 'dev_spin',
  label: 'Endless loop (dev)',
  description: 'Loops for ever and ignores requests to stop.',
  inputSchema: z.object({}),
})

export const devCrash = defineTool({
  name: 'dev_crash',
  label: 'Crash (dev)',
  description: 'Makes its worker die while it runs.',
  inputSchema: z.object({}),
})

export const devFlaky = defineTool({
  name: 'dev_flaky',
  label: 'Fail first (dev)',
  description: 'Fails as often as it is asked to, then succeeds. It is tried three times.',
  inputSchema: z.object({ failures: z.int().min(0).max(100).default(2) }),
  outputSchema: z.object({ failed: z.int() }),
  retry: { maxAttempts: 3, baseMs: 300 },
})

export const devFlood = defineTool({
  name: 'dev_flood',
  label: 'Flood (dev)',
  description: 'Sends updates, progress and log lines as fast as it can for some seconds.',
  inputSchema: z.object({ seconds: z.number().positive().max(60).default(2) }),
  outputSchema: z.object({ sent: z.number() }),
  timeoutMs: 2 * 60_000,
})

export const devHuge = defineTool({
  name: 'dev_huge',
  label: 'Huge result (dev)',
  description: 'Returns a text of many megabytes.',
  inputSchema: z.object({ megabytes: z.number().positive().max(200).default(50) }),
})

export const devApprove = defineTool({
  name: 'dev_approve',
  label: 'Ask first (dev)',
  description: 'Does nothing, but a person has to allow it.',
  inputSchema: z.object({ what: z.string().default('nothing') }),
  outputSchema: z.object({ did: z.string() }),
  needsApproval: true,
})
