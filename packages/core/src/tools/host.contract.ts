import { describe, expect, test } from 'vitest'
import { createSaidReader, problemWithReceived, receivedIn } from '../../rules/said.ts'
import { type FakeClock, fakeClock } from '../testing/fake-clock.ts'
import { callTo, createRecorder, settleDown } from './fixtures/calls.fixtures.ts'
import { sayAll } from './fixtures/talk.fixtures.ts'
import type { ToolHost } from './host.ts'

/** What every place promises. `makeHost` returns a host with the tool of `behave.fixtures.ts`. */
export function hostContract(name: string, makeHost: (clock: FakeClock) => ToolHost): void {
  describe(`${name} keeps the contract of a host`, () => {
    const open = () => {
      const clock = fakeClock()
      const host = makeHost(clock)
      const tool = host.tools.find((one) => one.name === 'behave')
      if (!tool) throw new Error('The host has no tool "behave".')
      const recorder = createRecorder()
      return { clock, recorder, execution: host.open(tool, { graceMs: 250 }) }
    }
    const run = (how: string) => {
      const opened = open()
      return { ...opened, done: opened.execution.run(callTo('behave', { how }), opened.recorder) }
    }

    test('returns what the code returned, and reports first that it runs', async () => {
      const { execution, recorder, clock } = open()
      await execution.ready

      const settlement = await execution.run(callTo('behave', { how: 'return' }), recorder)

      const output = { call: 'c1', name: 'behave', attempt: 1 }
      expect(settlement).toEqual({
        kind: 'returned',
        result: {
          content: [{ type: 'text', text: JSON.stringify(output) }],
          structuredContent: output,
        },
      })
      expect(recorder.notices).toEqual([{ type: 'running' }])
      expect(clock.pending()).toBe(0)
    })

    test('[S000-13] reports what the code threw', async () => {
      const { done } = run('throw')

      expect(await done).toMatchObject({
        kind: 'threw',
        errorKind: 'not_found',
        message: 'There is none.',
        details: { name: 'ToolError' },
      })
    })

    test('[S000-12] refuses input that does not fit, without running the code', async () => {
      const { done, recorder } = run('misspelled')

      expect(await done).toMatchObject({
        kind: 'threw',
        errorKind: 'invalid_args',
        message: expect.stringContaining('how: '),
      })
      expect(recorder.notices).toEqual([])
    })

    test('[I10] [S000-6] [S001-13] reports updates in their order, including the last, and all before the end', async () => {
      const { done, recorder } = run('report')

      expect(await done).toMatchObject({ kind: 'returned' })

      const numbers = recorder.updates().map((text) => Number(text.slice('update '.length)))
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
      expect(numbers.at(-1)).toBe(100)
      const countAtEnd = recorder.notices.length
      const drawn = { type: 'custom', name: 'drawn', data: { at: [1, 2] } }
      expect(recorder.notices).toContainEqual({ ...drawn, durable: false })
      expect(recorder.notices).toContainEqual({ ...drawn, durable: true })
      expect(recorder.notices).toContainEqual({
        type: 'progress',
        progress: { value: 100, total: 100 },
      })
      const lines = recorder.notices.flatMap((one) => (one.type === 'log' ? one.lines : []))
      expect(lines.map(({ text }) => text)).toEqual(
        Array.from({ length: 100 }, (_, i) => `line ${i + 1}`),
      )
      await settleDown()
      expect(recorder.notices).toHaveLength(countAtEnd)
    })

    test.for([50, 0])(
      '[I39] [S000-6] [S001-3] [S001-12] [S001-13] [S003-7] reports all that the code says, in its order, with an interval of %i ms',
      async (updateIntervalMs) => {
        const { execution, recorder, clock } = open()
        const request = { ...callTo('behave', { how: 'talk' }), updateIntervalMs }
        let isDone = false

        const done = execution.run(request, recorder).finally(() => (isDone = true))
        // What waits at the end is sent as the page acknowledges what came before.
        while (!isDone) {
          clock.advance(16)
          await new Promise((resolve) => setTimeout(resolve))
        }

        expect(await done).toMatchObject({ kind: 'returned' })

        const silent = () => {}
        const mouth = { onUpdate: silent, onProgress: silent, log: silent, custom: silent }
        const said = sayAll(mouth).map(createSaidReader(updateIntervalMs > 0))
        const received = recorder.notices.flatMap(receivedIn)
        expect(problemWithReceived(said, received, true)).toBeNull()
        if (updateIntervalMs === 0) expect(received).toHaveLength(said.length)
        else expect(recorder.updates().length).toBeLessThan(50)
      },
    )

    test.for(['wait', 'return when stopped', 'poll'])(
      '[I20] [S000-16] [S003-10] stops code that listens to its signal: %s',
      async (how) => {
        const { done, execution, recorder, clock } = run(how)
        await recorder.received('update')

        execution.stop()
        execution.stop()

        expect(await done).toEqual({ kind: 'stopped', how: 'cooperative' })
        expect(clock.pending()).toBe(0)
      },
    )

    test('[I15] [S000-16] does not stop or hide a call because another one fails', async () => {
      const failing = run('throw')
      const going = run('wait')
      await going.recorder.received('update')

      expect(await failing.done).toMatchObject({ kind: 'threw' })
      expect(await run('return').done).toMatchObject({ kind: 'returned' })
      going.execution.stop()

      expect(await going.done).toEqual({ kind: 'stopped', how: 'cooperative' })
    })

    test('[I20] ends a call that ignores its signal after the grace period, not before', async () => {
      const { done, execution, recorder, clock } = run('ignore')
      let isDone = false
      void done.then(() => {
        isDone = true
      })
      await recorder.received('update')

      execution.stop()
      clock.advance(249)
      await settleDown()
      expect(isDone).toBe(false)
      clock.advance(1)

      expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
      expect(clock.pending()).toBe(0)
    })

    test('[I34] [P2] drops late messages of a call that was abandoned', async () => {
      const { done, execution, recorder, clock } = run('answer late')
      await recorder.received('update')

      execution.stop()
      clock.advance(250)

      expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
      await settleDown()
      expect(recorder.updates()).toEqual(['dawdling'])
    })

    test('closes before it is ready', async () => {
      const { execution, recorder, clock } = open()

      execution.close()

      const settlement = await execution.run(callTo('behave', { how: 'return' }), recorder)
      expect(settlement).toEqual({ kind: 'stopped', how: 'cooperative' })
      expect(recorder.notices).toEqual([])
      expect(clock.pending()).toBe(0)
    })

    test('stops before it was run: the code never runs', async () => {
      const { execution, recorder } = open()
      await execution.ready

      execution.stop()

      const settlement = await execution.run(callTo('behave', { how: 'return' }), recorder)
      expect(settlement).toEqual({ kind: 'stopped', how: 'cooperative' })
      await settleDown()
      expect(recorder.notices).toEqual([])
    })

    test('ends a running call by force when it is closed', async () => {
      const { done, execution, recorder } = run('wait')
      await recorder.received('update')

      execution.close()

      expect(await done).toEqual({ kind: 'stopped', how: 'terminated' })
    })

    test('ignores stop and close after the end', async () => {
      const { done, execution, recorder, clock } = run('return')
      const settlement = await done

      execution.stop()
      execution.close()
      clock.advance(1000)

      expect(await done).toBe(settlement)
      expect(recorder.notices).toEqual([{ type: 'running' }])
    })

    test('runs one call, and refuses a second', async () => {
      const { done, execution, recorder } = run('return')

      const second = await execution.run(callTo('behave', { how: 'return' }), recorder)

      expect(second).toMatchObject({ kind: 'crashed' })
      expect(await done).toMatchObject({ kind: 'returned' })
      expect(recorder.notices).toEqual([{ type: 'running' }])
    })
  })
}
