import type { Model } from '@offthread/core'
import { ModelError } from '@offthread/core'

/**
 * A model whose adapter is loaded when it is asked for the first time. Without the adapter its stream throws a
 * `ModelError` of kind `network`, and the next request loads it anew.
 */
export function lazyModel(identity: Model['identity'], load: () => Promise<Model>): Model {
  let loading: Promise<Model> | undefined
  const loaded = async (): Promise<Model> => {
    loading ??= load()
    try {
      return await loading
    } catch {
      loading = undefined
      throw new ModelError({
        kind: 'network',
        message: 'A part of this page could not be loaded. Check the connection and try again.',
        retryable: true,
      })
    }
  }
  return {
    identity,
    stream: async function* (request, options) {
      const model = await loaded()
      options.signal.throwIfAborted()
      yield* model.stream(request, options)
    },
  }
}
