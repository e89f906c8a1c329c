import { type Model, ModelError } from '@offthread/core'

/**
 * A model whose adapter is loaded with its first request. If loading fails, the stream throws a `ModelError` of kind
 * `network`, and the next request tries again.
 */
export function lazyModel<Adapter>(
  identity: Model['identity'],
  load: () => Promise<Adapter>,
  create: (adapter: Adapter) => Model,
): Model {
  let model: Model | undefined
  const loaded = () =>
    load().catch(() => {
      throw new ModelError({
        kind: 'network',
        message: 'A part of this page could not be loaded. Check the connection and try again.',
        retryable: true,
      })
    })
  return {
    identity,
    stream: async function* (request, options) {
      // The model is made outside of `loaded`, because an error in the options is no failure of loading.
      model ??= create(await loaded())
      options.signal.throwIfAborted()
      yield* model.stream(request, options)
    },
  }
}
