import type { Execute } from '@offthread/core/worker'
import type * as dev from './dev-definitions.ts'

export const sleep: Execute<typeof dev.devSleep> = async ({ ms }, { signal }) => {
  const begun = performance.now()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
  return { slept: Math.round(performance.now() - begun) }
}

export const spin: Execute<typeof dev.devSpin> = () => {
  for (;;) {
    // No message, timer or abort reaches this loop.
  }
}

export const crash: Execute<typeof dev.devCrash> = () =>
  new Promise(() => {
    setTimeout(() => {
      throw new Error('This tool was made to crash.')
    })
  })

/** Each attempt has a worker of its own, so code cannot count attempts: the number of the attempt tells it. */
export const flaky: Execute<typeof dev.devFlaky> = ({ failures }, { attempt }) => {
  if (attempt > failures) return { failed: failures }
  throw new Error(`This is failure ${attempt} of ${failures}.`)
}

export const flood: Execute<typeof dev.devFlood> = async ({ seconds }, context) => {
  const begun = performance.now()
  let sent = 0
  for (;;) {
    const elapsed = performance.now() - begun
    if (elapsed >= seconds * 1000) return { sent }
    for (let i = 0; i < 100; i++) {
      context.onUpdate({ content: `Update ${sent}`, details: { sent } })
      context.log(`Line ${sent}`)
      sent += 2
    }
    context.onProgress({ value: elapsed, total: seconds * 1000, unit: 'ms' })
    sent++
    await context.yield()
  }
}

export const huge: Execute<typeof dev.devHuge> = ({ megabytes }) => {
  const line = `${'offthread '.repeat(9)}ten bytes\n`
  return line.repeat(Math.round((megabytes * 1_000_000) / line.length))
}

export const approve: Execute<typeof dev.devApprove> = ({ what }) => ({ did: what })
