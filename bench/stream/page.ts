import { createElement, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { type UseAgentOptions, useAgent } from '../../packages/react/src/index.ts'
import { createFloorStore } from './floor.ts'
import { createOurChat } from './our-chat.ts'
import { delta, deltas, playDeltas } from './source.ts'

/** A contestant, which takes an answer in pieces. Nothing is drawn: only state and hook are measured. */
interface Contestant {
  readonly append: (delta: string) => void
  /** The number of characters that the hook returns. */
  readonly useLength: () => number
}

/** Ignores all pieces. It measures the cost of source and frames, which is subtracted from the others. */
function none(): Contestant {
  return { append: () => {}, useLength: () => 0 }
}

function floor(messages: number): Contestant {
  const { append, subscribe, getState } = createFloorStore(
    Array.from({ length: messages }, (_, n) => `Message ${n}`),
  )
  return { append, useLength: () => useSyncExternalStore(subscribe, getState).answer.length }
}

async function ours(messages: number, options?: UseAgentOptions): Promise<Contestant> {
  const { agent, append } = await createOurChat(messages)
  void agent.prompt('Go.')
  return {
    append,
    useLength: () => {
      const last = useAgent(agent, options).messages.at(-1)
      const part = last?.role === 'assistant' ? last.content[0] : undefined
      return part?.type === 'text' ? part.text.length : 0
    },
  }
}

const contestants: Readonly<
  Record<string, (messages: number) => Contestant | Promise<Contestant>>
> = { none, floor, ours, 'ours, 50 ms': (messages) => ours(messages, { throttleMs: 50 }) }

interface ViewProps {
  readonly contestant: Contestant
  readonly onRender: (length: number) => void
}

function View({ contestant, onRender }: ViewProps): null {
  onRender(contestant.useLength())
  return null
}

/** Mounts one contestant. Returns a function that plays an answer and counts how often the view rendered. */
async function open(name: string, messages: number): Promise<() => Promise<number>> {
  const create = contestants[name]
  if (!create) throw new Error(`There is no contestant "${name}".`)
  const contestant = await create(messages)
  let shown = 0
  let renders = 0
  const onRender = (length: number): void => {
    shown = length
    renders += 1
  }
  createRoot(document.body.appendChild(document.createElement('div'))).render(
    createElement(View, { contestant, onRender }),
  )
  await nextFrame()
  return async () => {
    renders = 0
    const goal = name === 'none' ? 0 : shown + deltas * delta.length
    await playDeltas(contestant.append)
    while (shown < goal) await nextFrame()
    return renders
  }
}

function nextFrame(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve()))
}

let play = (): Promise<number> => Promise.reject(new Error('Open a contestant first.'))

/** The functions that the runner calls. */
Object.assign(globalThis, {
  benchStream: {
    open: async (name: string, messages: number) => {
      play = await open(name, messages)
    },
    play: () => play(),
  },
})
