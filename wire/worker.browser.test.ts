import { describe, expect, inject, onTestFinished, test } from 'vitest'
import type { Protocol } from './exchange.ts'
import type { WorkerAnswer, WorkerQuestion } from './page/agent.worker.ts'
import { canary } from './page/models.ts'
import { beginVisit, protocols } from './page/visit.fixtures.ts'

describe.each(protocols)('an agent over %s in a worker', (protocol) => {
  test('retries, runs tools and answers', async () => {
    const { name, journal } = beginVisit(protocol)

    const { result } = await ask(protocol, `${name}/open/E12-503,two-calls,answer`)

    expect(result).toMatchObject({ reason: 'stop', text: 'It is noon 🕛.' })
    const { requests } = await journal()
    expect(requests.map(({ problems }) => problems)).toEqual([[], [], []])
  })

  test('reports a server that it may not read', async () => {
    const { name } = beginVisit(protocol)

    const { result } = await ask(protocol, `${name}/closed/answer`)

    expect(result).toMatchObject({ reason: 'error', error: { kind: 'cors' } })
    expect(result.error?.message).toContain(location.origin)
  })

  test('[I36] keeps the key out of everything that others can read', async () => {
    const { name } = beginVisit(protocol)

    const answer = await ask(protocol, `${name}/open/quotes-key`)

    expect(answer.result.reason).toBe('error')
    expect(JSON.stringify(answer)).not.toContain(canary)
  })
})

function ask(protocol: Protocol, command: string): Promise<WorkerAnswer> {
  const worker = new Worker(new URL('./page/agent.worker.ts', import.meta.url), { type: 'module' })
  onTestFinished(() => worker.terminate())
  const question: WorkerQuestion = { protocol, baseURL: `${inject('faults')}/${command}` }
  return new Promise((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => resolve(data))
    worker.addEventListener('error', ({ message }) => reject(new Error(message)))
    worker.postMessage(question)
  })
}
