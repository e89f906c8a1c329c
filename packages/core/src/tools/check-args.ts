import type { StandardSchemaV1 } from '@standard-schema/spec'
import { cutEnd } from '../internal/cut-text.ts'
import type { Tool } from './definition.ts'

export type ArgsCheck =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string }

const maxProblemChars = 1000

/**
 * Checks the arguments of a call by the tool's `inputSchema`. Gives the schema's output, with its defaults and
 * transforms, or a sentence of at most 1,000 characters for the model. Never rejects.
 */
export async function checkArgs(tool: Tool, args: unknown): Promise<ArgsCheck> {
  try {
    const checked = await tool.inputSchema['~standard'].validate(args)
    if (!checked.issues) return { ok: true, value: checked.value }
    return refuse(`Invalid arguments: ${problemsOf(checked.issues)}`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'no reason given'
    return refuse(
      `The arguments could not be checked: the schema of "${tool.name}" failed (${reason}).`,
    )
  }
}

/** The problems with their paths. The text adds no values to what the schema's library says. */
export function problemsOf(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues.map(({ path, message }) => `${pathOf(path)}${message}`).join('; ')
}

function pathOf(path: StandardSchemaV1.Issue['path']): string {
  if (!path || path.length === 0) return ''
  const keys = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment))
  return `${keys.join('.')}: `
}

function refuse(message: string): ArgsCheck {
  return { ok: false, message: cutEnd(message, maxProblemChars) }
}
