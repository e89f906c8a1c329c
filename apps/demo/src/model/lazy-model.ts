import type { Model } from '@offthread/core'
import { ModelError } from '@offthread/core'

/**
 * A model whose adapter is loaded when it is asked for the first time. Without the adapter its stream throws a
 * `ModelError` of kind `network`, and the next request loads it anew.
 */
export function lazyModel<Adapter>(
  identity: Model['identity'],
  load: () => Promise<Adapter>,
  create: (adapter: Adapter) => Model,
): Model {
  let model: Model | undefined
  const loaded = async (): Promise<Adapter> => {
    try {
      return await load()
    } catch {
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
      // What is wrong with its options is told as it is.
      model ??= create(await loaded())
      options.signal.throwIfAborted()
      yield* model.stream(request, options)
    },
  }
}
