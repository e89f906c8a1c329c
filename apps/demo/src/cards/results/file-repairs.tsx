import type { ReactNode } from 'react'
import { Questions } from '../../chat/questions.tsx'
import { repairsOf } from '../../files/repairs.ts'
import { useModels } from '../../session.ts'
import { textOfParts } from '../../text/text-of-parts.ts'
import type { DemoCall } from '../../tools/host-tools.ts'

/**
 * Buttons that repair a file which could not be loaded, or only with doubt. The scripted planner offers them in its
 * answer.
 */
export function FileRepairs({ call }: { readonly call: DemoCall }): ReactNode {
  const { settings } = useModels()
  if (call.toolName !== 'load_table' || !call.hasValidArgs || !call.hasEnded) return null
  if (settings.provider === 'planner') return null
  const said = call.output?.notes.join('\n') ?? textOfParts(call.result?.content ?? [])
  const repairs = repairsOf(call.args.file, said)
  return repairs.length > 0 && <Questions questions={repairs} />
}
