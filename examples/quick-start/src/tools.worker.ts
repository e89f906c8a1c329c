// tools.worker.ts: what the tool does. Only workers load it, and each call gets a new one.
import { implement, serveTools } from '@offthread/core/worker'
import { countPrimes } from './tools.ts'

serveTools([
  implement(countPrimes, ({ n }, { onProgress }) => {
    let count = 0
    for (let i = 2; i < n; i++) {
      if (isPrime(i)) count++
      if (i % 10_000 === 0) onProgress({ value: i, total: n })
    }
    return { count }
  }),
])

function isPrime(i: number): boolean {
  for (let d = 2; d * d <= i; d++) if (i % d === 0) return false
  return true
}
