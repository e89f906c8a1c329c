// What it does. The same file would run in a Web Worker of the page.
import { implement, serveTools } from '@offthread/core/worker'
import { countPrimes } from './tools.ts'

serveTools([
  implement(countPrimes, async ({ n }, { log, onProgress, yield: letOthersRun }) => {
    let count = 0
    for (let i = 2; i < n; i += 1) {
      if (isPrime(i)) count += 1
      if (i % 100_000 > 0) continue
      onProgress({ message: `${count} primes so far`, value: i, total: n })
      await letOthersRun()
    }
    log(`The last number was ${n - 1}.`)
    return { count }
  }),
])

function isPrime(n: number): boolean {
  for (let i = 2; i * i <= n; i += 1) if (n % i === 0) return false
  return true
}
