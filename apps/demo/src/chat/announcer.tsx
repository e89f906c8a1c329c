import type { ToolCallView } from '@offthread/core'
import {
  type AnnouncedMoment,
  Announcer as Regions,
  sentencesFor,
} from '@offthread/react/announcer'
import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import { useSession } from '../session.ts'
import { storedChoice } from '../stored-choice.ts'
import { inPageWords } from '../text/error-text.ts'
import { counted } from '../text/quantity.ts'

export const verbosities = ['full', 'brief', 'off'] as const

/** How much of a run screen readers are given to read. */
export const verbosity = storedChoice('offthread-announcements', verbosities)

/** Announces starts and ends. The conversation itself is not a live region: read aloud while it grows, it is noise. */
export function Announcer(): ReactNode {
  const { agent } = useSession()
  const { chosen } = useStore(verbosity)
  return <Regions agent={agent} verbosity={chosen} {...{ sentences, detailOf, hints }} />
}

const hints = { approval: 'Press Alt+A', answer: 'Press Alt+R to read it' }

function sentences(moment: AnnouncedMoment): ReturnType<typeof sentencesFor> {
  return sentencesFor(moment).map((one) => ({ ...one, text: inPageWords(one.text) }))
}

/** The number of rows, for a call whose result is a table. */
function detailOf({ output }: Pick<ToolCallView, 'output'>): string | undefined {
  const rows = tableSize(output)
  return rows === undefined ? undefined : counted(rows, 'row')
}

function tableSize(output: unknown): number | undefined {
  if (typeof output !== 'object' || output === null) return undefined
  const rows = 'rowCount' in output ? output.rowCount : 'rows' in output ? output.rows : undefined
  return typeof rows === 'number' ? rows : undefined
}
