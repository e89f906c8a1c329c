import type { ToolProgress } from '@offthread/core'
import type { ReactNode } from 'react'
import { formatAmount } from '../text/quantity.ts'

interface ProgressBarProps {
  readonly label: string
  readonly progress: ToolProgress | undefined
}

/** The progress of a call. Without a total, the bar is indeterminate. */
export function ProgressBar({ label, progress }: ProgressBarProps): ReactNode {
  const share = shareOf(progress)
  const percent = Math.round((share ?? 0) * 100)
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={`${label}: progress`}
      {...(share === undefined
        ? { 'data-open': true }
        : {
            'aria-valuemin': 0,
            'aria-valuemax': 100,
            'aria-valuenow': percent,
            'aria-valuetext': `${percent} percent`,
          })}
    >
      {share !== undefined && (
        <div className="progress-fill" style={{ transform: `scaleX(${share})` }} />
      )}
    </div>
  )
}

/** From 0 to 1; `undefined` without a total. */
function shareOf(progress: ToolProgress | undefined): number | undefined {
  const { value, total } = progress ?? {}
  if (value === undefined || total === undefined || !(total > 0)) return undefined
  return Math.min(1, Math.max(0, value / total))
}

/** Progress in words: `counting rows`, `1.2 MB of 3.4 MB`. */
export function progressWords(progress: ToolProgress): string {
  const { message, status, value } = progress
  const amount = value === undefined ? undefined : formatAmount(value, progress)
  return [amount, message ?? status].filter(Boolean).join(' · ')
}
