import type { ToolCallView } from '@offthread/core'
import type { ReactNode } from 'react'
import { fieldsOf, textField } from '../text/fields.ts'
import { LongText } from './long-text.tsx'

/** What the tool was given, for people who want it exactly. */
export function CallInput({ call }: { readonly call: ToolCallView }): ReactNode {
  const { args, argsText, toolName } = call
  const sql = toolName === 'sql_query' ? textField(fieldsOf(args), 'sql') : undefined
  const text =
    sql ??
    (args === undefined || typeof args === 'string' ? argsText : JSON.stringify(args, null, 2))
  return <LongText className="code-box" text={text} name={`${toolName}-input`} />
}
