import { defineTool, inClient, type ToolHost } from '@offthread/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createToolCheck } from './check-hosts.ts'

test('reports each problem as soon as it is known, in the order of the hosts', async () => {
  const { check, answers, shown } = createChecked(3)

  check()
  await answers[1]?.[0]?.fail('second')
  await answers[0]?.[0]?.fail('first')
  await answers[2]?.[0]?.succeed()

  const heading = 'Not every tool can be called.'
  expect(shown).toEqual([`${heading}\ntool_1: second`, `${heading}\ntool_0: first\ntool_1: second`])
})

test('reports success when every host has answered', async () => {
  const { check, answers, shown } = createChecked(2)

  check()
  await answers[0]?.[0]?.succeed()
  expect(shown).toEqual([])
  await answers[1]?.[0]?.succeed()

  expect(shown).toEqual([undefined])
})

test('reports nothing from a check after a later one has started', async () => {
  const { check, answers, shown } = createChecked(2)

  check()
  check()
  await answers[0]?.[1]?.succeed()
  await answers[1]?.[1]?.succeed()
  await answers[0]?.[0]?.fail('old')
  await answers[1]?.[0]?.succeed()

  expect(shown).toEqual([undefined])
})

interface Answer {
  readonly succeed: () => Promise<void>
  readonly fail: (message: string) => Promise<void>
}

/** Hosts whose checks the test settles: `answers` by host, then by check. */
function createChecked(places: number) {
  const shown: (string | undefined)[] = []
  const answers: Answer[][] = []
  const hosts = Array.from({ length: places }, (_, at): ToolHost => {
    const own: Answer[] = []
    answers.push(own)
    const ask = () =>
      new Promise<void>((resolve, reject) => {
        own.push({
          succeed: () => settled(resolve),
          fail: (message) => settled(() => reject(new Error(message))),
        })
      })
    const tool = defineTool({
      name: `tool_${at}`,
      description: 'Does nothing.',
      place: 'client',
      inputSchema: z.object({}),
    })
    return { ...inClient([tool]), check: ask }
  })
  return { check: createToolCheck(hosts, (problem) => shown.push(problem)), answers, shown }
}

/** Resolves when everything that follows from it has happened. */
function settled(settle: () => void): Promise<void> {
  settle()
  return new Promise((resolve) => setTimeout(resolve))
}
