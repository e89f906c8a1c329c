import { textOf } from '@offthread/core'
import { cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import {
  answer,
  createPlayedAgent,
  doing,
  stopped,
  streaming,
  textDelta,
  textEnd,
  textStart,
} from './agents.fixtures.ts'
import { useAgent } from './use-agent.ts'
import { useOutput } from './use-output.ts'

afterEach(cleanup)

const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }

test('[O17] the output grows while it is written, and stays when it fits', async () => {
  const played = createPlayedAgent()
  const { agent } = played
  const { result } = renderHook(() => useOutput(agent, schema))
  expect(result.current).toBeUndefined()
  await doing(() => void agent.prompt('Name it.', { output: schema }))
  await waitFor(() => expect(agent.getState().output).toBe('awaited'))

  await streaming(played, textStart, textDelta('{"title":"Pan'))
  await waitFor(() => expect(result.current).toEqual({ title: 'Pan' }))
  await streaming(played, textDelta('cakes"}'), textEnd, stopped)

  await waitFor(() => expect(agent.getState().output).toBe('there'))
  expect(result.current).toEqual({ title: 'Pancakes' })
})

test('[O17] a long output is read again when it has grown by a 64th, and at its end', async () => {
  const played = createPlayedAgent()
  const { agent } = played
  const { result } = renderHook(() => useOutput(agent, schema))
  await doing(() => void agent.prompt('Name it.', { output: schema }))
  const shown = async (title: string) => {
    await waitFor(() =>
      expect(textOf(agent.getState().messages.at(-1)?.content ?? [])).toContain(title),
    )
    return result.current
  }
  const long = 'a'.repeat(6400)

  await streaming(played, textStart, textDelta(`{"title":"${long}`))
  expect(await shown(long)).toEqual({ title: long })
  await streaming(played, textDelta('b'))
  expect(await shown(`${long}b`)).toEqual({ title: long })
  await streaming(played, textDelta('c'.repeat(100)))
  expect(await shown(`${long}bc`)).toEqual({ title: `${long}b${'c'.repeat(100)}` })
  await streaming(played, textDelta('d"}'), textEnd, stopped)

  await waitFor(() => expect(agent.getState().output).toBe('there'))
  expect(result.current).toEqual({ title: `${long}b${'c'.repeat(100)}d` })
})

test('[O17] a message may ask for an output, and such a message is not queued', async () => {
  const played = createPlayedAgent()
  const { agent } = played
  const { result } = renderHook(() => ({ ...useAgent(agent), draft: useOutput(agent, schema) }))

  const sent = result.current.sendMessage('Name it.', { output: schema })
  await waitFor(() => expect(result.current.output).toBe('awaited'))
  await expect(result.current.sendMessage('Again.', { output: schema })).rejects.toThrow(
    expect.objectContaining({ name: 'AgentBusyError' }),
  )
  await streaming(played, textStart, textDelta('{"title":"Pancakes"}'), textEnd, stopped)

  expect((await sent).output).toEqual({ title: 'Pancakes' })
  await waitFor(() => expect(result.current.draft).toEqual({ title: 'Pancakes' }))
  expect(agent.getState().queues.followUp).toEqual([])
})

test('[O17] an edit, a repeated answer and one that goes on may ask for an output', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useAgent(played.agent))
  const asked = [
    () => result.current.edit('msg_1', 'Name this.', { output: schema }),
    () => result.current.regenerate({ output: schema }),
    async () => {
      // A click gives it no output: that of the answer before counts.
      const stoppedRun = click(result.current.regenerate)
      await waitFor(() => expect(result.current.status).toBe('submitted'))
      result.current.stop()
      expect((await stoppedRun).reason).toBe('aborted')
      return result.current.continue({ output: schema })
    },
  ]
  const first = result.current.sendMessage('Name it.')
  await waitFor(() => expect(result.current.status).toBe('submitted'))
  await streaming(played, ...answer('Soup.'))
  await first

  for (const ask of asked) {
    const ended = ask()
    await waitFor(() =>
      expect(result.current).toMatchObject({ output: 'awaited', status: 'submitted' }),
    )
    await streaming(played, textStart, textDelta('{"title":"Pan"}'), textEnd, stopped)
    expect((await ended).output).toEqual({ title: 'Pan' })
  }
  expect(result.current.messages[0]?.content).toEqual([{ type: 'text', text: 'Name this.' }])
})

function click<Result>(onClick: (event: MouseEvent) => Result): Result {
  return onClick(new MouseEvent('click'))
}

test('[O15] what the agent says to have an answer mended is nothing to edit', async () => {
  const played = createPlayedAgent()
  const { agent } = played
  const { result } = renderHook(() => useAgent(agent))
  await doing(() => void agent.prompt('Name it.', { output: schema, maxRepairs: 1 }))
  await waitFor(() => expect(agent.getState().output).toBe('awaited'))
  await streaming(played, textStart, textDelta('No.'), textEnd, stopped)
  await waitFor(() => expect(result.current.messages).toHaveLength(4))

  const repair = result.current.messages[2]

  expect(repair).toMatchObject({ role: 'user', source: 'repair' })
  await expect(result.current.edit(repair?.id ?? '', 'Yes.')).rejects.toThrow(TypeError)
  await doing(() => agent.abort())
})

test('[O17] a run in words has none, whatever its answer is', async () => {
  const played = createPlayedAgent()
  const { result } = renderHook(() => useOutput(played.agent, schema))
  await doing(() => void played.agent.prompt('Name it.'))

  await streaming(played, textStart, textDelta('{"title":"Pan"}'), textEnd, stopped)

  expect(played.agent.getState()).toMatchObject({ lastReason: 'stop', output: null })
  expect(result.current).toBeUndefined()
})
