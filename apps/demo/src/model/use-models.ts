import { useStore } from 'zustand'
import { useSession } from '../session.ts'
import type { ModelsState } from './models.ts'

/** What is chosen and offered, as it changes. */
export function useModels(): ModelsState {
  return useStore(useSession().models)
}
