import type { Model } from '@offthread/core'
import { anthropic } from '@offthread/core/anthropic'
import type { PlannerOptions } from '../planner/planner-fetch.ts'

/** The planner as a model: it answers the requests of the Anthropic adapter in place of a server. */
export function plannerModel(options: PlannerOptions): Model {
  let planner = load(options)
  const fetch: typeof globalThis.fetch = async (...request) => {
    const answer = await planner.catch(() => {
      planner = load(options)
      return planner
    })
    return answer(...request)
  }
  return anthropic({ model: 'scripted-planner', apiKey: null, fetch })
}

/** Loads the planner after the page, which need not wait for it, and before the first question. */
function load(options: PlannerOptions): Promise<typeof globalThis.fetch> {
  const loading = import('../planner/planner-fetch.ts').then(({ createPlannerFetch }) =>
    createPlannerFetch(options),
  )
  // The first request reports the failure.
  loading.catch(() => {})
  return loading
}
