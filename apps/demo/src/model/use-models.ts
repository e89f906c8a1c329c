import { useSyncExternalStore } from 'react'
import { useSession } from '../session.ts'
import type { ModelsState } from './models.ts'

/** What is chosen and offered, as it changes. */
export function useModels(): ModelsState {
  const { models } = useSession()
  return useSyncExternalStore(models.subscribe, models.getState)
}
