import type { Model } from '@offthread/core'
import { createStore } from 'zustand/vanilla'
import type { StartedEngine } from './engine.ts'

/** The model that the page offers to run itself. */
export const localModel = {
  id: 'Llama-3.2-3B-Instruct-q4f16_1-MLC',
  name: 'Llama 3.2 3B',
  download: '1.8 GB',
  memory: '3 GB',
} as const

/** How far the loading of the model is. */
export type LocalState =
  | { readonly status: 'absent' | 'ready' }
  | { readonly status: 'loading'; readonly loaded: number }
  | { readonly status: 'failed'; readonly problem: string }

type Start = (name: string, onProgress: (loaded: number) => void) => StartedEngine

/** Code and weights of a model are loaded by `load`, and by nothing else. */
export function createLocalModel(
  loadStart: () => Promise<Start> = () => import('./engine.ts').then((code) => code.startEngine),
) {
  const { setState, ...store } = createStore<LocalState>(() => ({ status: 'absent' }))
  let engine: StartedEngine | undefined
  let model: Model | undefined
  let loadings = 0

  function unload(): void {
    loadings += 1
    engine?.stop()
    engine = undefined
    model = undefined
    setState({ status: 'absent' }, true)
  }

  /** Resolves to whether the model is there: false if it failed, or was cancelled by `unload`. */
  async function load(): Promise<boolean> {
    unload()
    const loading = loadings
    const isCurrent = (): boolean => loading === loadings
    setState({ status: 'loading', loaded: 0 }, true)
    try {
      const start = await loadStart()
      if (!isCurrent()) return false
      engine = start(localModel.id, (loaded) => {
        if (isCurrent()) setState({ status: 'loading', loaded }, true)
      })
      const loaded = await engine.model
      if (!isCurrent()) return false
      model = loaded
      setState({ status: 'ready' }, true)
      return true
    } catch (error) {
      if (!isCurrent()) return false
      unload()
      setState({ status: 'failed', problem: problemOf(error) }, true)
      return false
    }
  }

  return {
    ...store,
    load,
    unload,
    /** The model, if it is loaded. */
    model: (): Model | undefined => model,
  }
}

function problemOf(error: unknown): string {
  const said = String(error)
  if (/lost|memory|disposed/i.test(said)) {
    return 'The graphics card has not enough free memory for this model. Close other pages, or choose another model.'
  }
  if (/quota|storage/i.test(said)) {
    return `The browser has no space for ${localModel.download}. Free some, or choose another model.`
  }
  if (/gpu|shader|feature/i.test(said)) {
    return 'This browser cannot run the model on the graphics card. Choose another model.'
  }
  return 'The model could not be loaded. Check the connection and try again: what has come already is kept.'
}
