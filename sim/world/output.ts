import type { OutputOptions, OutputSchema } from '../../packages/core/src/agent/output-schema.ts'
import type { JsonObject } from '../../packages/core/src/internal/json.ts'
import { jsonSchema } from '../../packages/core/src/tools/json-schema.ts'
import type { OutputPlan } from '../plan.ts'
import { type HookScene, perform } from './hooks.ts'

const closed: JsonObject = {
  type: 'object',
  properties: { fits: { type: 'integer' } },
  required: ['fits'],
  additionalProperties: false,
}

/** Fields of any name: a provider cannot be held to that. */
const open: JsonObject = {
  type: 'object',
  required: ['fits'],
  additionalProperties: { type: 'integer' },
}

type Scene = Pick<HookScene, 'timeline' | 'scope' | 'noteFault'>

/** What the prompts of a page ask for. */
export function outputOf(plan: OutputPlan, scene: Scene): OutputOptions {
  return { output: schemaOf(plan, scene), maxRepairs: plan.maxRepairs, onPartial: () => {} }
}

function schemaOf({ schema, validates }: OutputPlan, scene: Scene): OutputSchema {
  if (schema !== 'live') return schema === 'json' ? closed : open
  const standard = jsonSchema(closed)['~standard']
  return {
    '~standard': {
      ...standard,
      validate: async (value) => {
        const checked = await standard.validate(value)
        // A hook that was asked of a page that is gone says nothing.
        if (!checked.issues) await perform(validates, scene)
        return checked
      },
    },
  }
}
