export type Scale = ReturnType<typeof createScale>

const wantedTicks = 5

/** A range around the values with round limits, and its round ticks. */
export function createScale(values: readonly number[], withZero: boolean) {
  let low = Math.min(...values, ...(withZero ? [0] : []))
  let high = Math.max(...values, ...(withZero ? [0] : []))
  if (low === high) {
    // A single value is placed in the middle.
    const around = Math.abs(low) / 2 || 1
    low -= withZero && low === 0 ? 0 : around
    high += around
  }
  const step = roundStep((high - low) / wantedTicks)
  const first = Math.floor(low / step + 1e-9)
  const last = Math.ceil(high / step - 1e-9)
  const format = formatter(step, Math.max(Math.abs(first), Math.abs(last)) * step)
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => {
    const value = (first + i) * step
    return { value, text: format(value) }
  })
  return { low: first * step, high: last * step, ticks }
}

/** The next larger of 1, 2, 5, 10, … */
export function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step))
  const factor = step / power
  return power * ([1, 2, 5].find((round) => factor <= round + 1e-9) ?? 10)
}

function formatter(step: number, largest: number): (value: number) => string {
  if (largest >= 1e15 || step < 1e-6) return (value) => String(Number(value.toPrecision(6)))
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
  const format = new Intl.NumberFormat('en', {
    ...(largest >= 1_000_000
      ? { notation: 'compact', maximumSignificantDigits: 4 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals }),
  })
  return (value) => format.format(value === 0 ? 0 : value)
}
