import type { ToolCallView, ToolProgress } from '@offthread/core'
import { shareOf } from '@offthread/react/tool-call'
import { formatAmount } from '../text/quantity.ts'
import { textOfParts } from '../text/text-of-parts.ts'

/** Progress in words: `counting rows`, `1.2 MB of 3.4 MB`. */
export function progressWords(progress: ToolProgress): string {
  const { message, status, value } = progress
  const amount = value === undefined ? undefined : formatAmount(value, progress)
  return [amount, message ?? status].filter(Boolean).join(' · ')
}

/** Progress on one line: `45 % · 1.2 MB of 3.4 MB`, or with a short result so far `45 % · 3.14 ± 0.01`. */
export function progressLine({
  progress,
  partial,
}: Pick<ToolCallView, 'progress' | 'partial'>): string | undefined {
  const soFar = textOfParts(partial?.content ?? [])
  const isShort = soFar !== '' && soFar.length <= mostChars
  const share = shareOf(progress)
  const percent = share === undefined ? undefined : `${Math.floor(share * 100)} %`
  const words = isShort ? soFar : progress && progressWords(progress)
  return [percent, words].filter(Boolean).join(' · ') || undefined
}

const mostChars = 32
