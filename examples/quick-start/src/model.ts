// model.ts: what answers. This script needs no key, so that you can try the rest.
import { call, say, scriptedModel } from '@offthread/core/testing'

export const model = scriptedModel(
  [call('count_primes', { n: 1_000_000 })],
  [say('There are 78,498 primes below a million.')],
)
