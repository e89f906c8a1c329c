import type { Usage } from '../src/kernel/message.ts'

const figures = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cost',
] as const

/** The sum of usages, figure by figure. */
export function sumOf(usages: readonly Usage[]): Usage {
  const sum = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0 }
  for (const usage of usages) for (const figure of figures) sum[figure] += usage[figure] ?? 0
  return sum
}

/** Whether two usages are the same, an absent figure being 0. Money is compared within the precision of floats. */
export function isSameUsage(a: Usage, b: Usage): boolean {
  return figures.every((figure) => Math.abs((a[figure] ?? 0) - (b[figure] ?? 0)) < 1e-9)
}
