import type { Model } from '@offthread/core'
import { anthropic } from '@offthread/core/anthropic'
import { createPlannerFetch, type PlannerOptions } from '../planner/planner-fetch.ts'

/** The planner as a model: it answers the requests of the Anthropic adapter in place of a server. */
export function plannerModel(options: PlannerOptions): Model {
  const fetch = createPlannerFetch(options)
  return anthropic({ model: 'scripted-planner', apiKey: null, fetch })
}
