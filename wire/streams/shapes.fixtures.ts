import { anthropicShapes } from './anthropic-shapes.fixtures.ts'
import { openaiShapes } from './openai-shapes.fixtures.ts'
import type { Shape } from './shape.fixtures.ts'

/** The streams of all adapters under test. */
export const shapes: readonly Shape[] = [...anthropicShapes, ...openaiShapes]
