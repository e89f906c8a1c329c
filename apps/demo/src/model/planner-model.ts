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

/** At once, beside the page: the page need not wait for the grammar, and it is there with the first question. */
function load(options: PlannerOptions): Promise<typeof globalThis.fetch> {
  const loading = import('../planner/planner-fetch.ts').then(({ createPlannerFetch }) =>
    createPlannerFetch(options),
  )
  // The request that needs it says so.
  loading.catch(() => {})
  return loading
}
