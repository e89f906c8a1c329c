import { defineTool } from '@offthread/core'
import { jsonSchema } from '@offthread/core/json-schema'

export const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  inputSchema: jsonSchema({ type: 'object' }),
})
