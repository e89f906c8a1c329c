/** Stands in for `kernel/fold.ts` in a bundle, see `refoldPlugin` in bundle.mjs. */

import { fold as original } from '../../packages/core/src/kernel/fold.ts'
import { createRefold } from './refolding.ts'

export const fold: typeof original = createRefold(original)
