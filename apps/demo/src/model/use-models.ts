import { useStore } from 'zustand'
import { useSession } from '../session.ts'
import type { ModelsState } from './models.ts'

/** The current choice of model, and the state of the menu. */
export function useModels(): ModelsState {
  return useStore(useSession().models)
}
