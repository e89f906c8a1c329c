/** The value below which this share of all values lies: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((x, y) => x - y)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** One of several ways to do something. Returns the milliseconds that it took. */
export type Contestant = () => Promise<number>

export interface Series {
  readonly rounds: number
  /** Rounds before the measured ones, which do not count. */
  readonly warmUps?: number
}

/** Measures every contestant once a round, each time in another order, so that other load affects all alike. */
export async function inTurns<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  { rounds, warmUps = 3 }: Series,
): Promise<(name: Name) => readonly number[]> {
  const all = Object.entries<Contestant>(contestants).map(([name, run]) => ({
    name,
    run,
    times: [] as number[],
  }))
  for (let round = -warmUps; round < rounds; round++) {
    for (const { run, times } of shuffled(all)) {
      const time = await run()
      if (round >= 0) times.push(time)
    }
  }
  return (name) => all.find((one) => one.name === name)?.times ?? []
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .toSorted((x, y) => x.key - y.key)
    .map(({ item }) => item)
}
