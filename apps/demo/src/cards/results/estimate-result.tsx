import type { ReactNode } from 'react'
import { formatCount } from '../../text/quantity.ts'

interface Estimate {
  readonly experiment: string
  readonly estimate: number
  readonly standardError: number
  readonly trials: number
}

/** An estimate with the interval it most likely lies in. */
export function EstimateResult({ estimate }: { readonly estimate: Estimate }): ReactNode {
  const half = 1.96 * estimate.standardError
  const digits = Math.min(8, Math.max(2, Math.ceil(-Math.log10(half || 1e-8)) + 1))
  const value = (number: number): string => number.toFixed(digits)
  return (
    <div className="estimate">
      <p className="estimate-value">{value(estimate.estimate)}</p>
      <p className="quiet">
        95 % interval {value(estimate.estimate - half)} to {value(estimate.estimate + half)} ·{' '}
        {formatCount(estimate.trials)} trials
      </p>
    </div>
  )
}
