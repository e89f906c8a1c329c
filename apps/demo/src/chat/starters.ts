/** A task for the first click. It runs at once, without a network, on the tables that ship with the page. */
export interface Starter {
  readonly title: string
  readonly prompt: string
}

export const starters: readonly Starter[] = [
  {
    title: 'Ask a table',
    prompt: 'How many time zones are there, and which five countries have the most?',
  },
  {
    title: 'Draw the answer',
    prompt: 'Plot the number of time zones of the ten countries with the most',
  },
  {
    title: 'Two threads at once',
    prompt: 'Estimate pi with 20 million samples and hash zone1970.tab',
  },
  {
    title: 'See what is inside',
    prompt: 'Describe both tables',
  },
]

/** What the tools under `?dev` do wrong. */
export const devPrompts: readonly string[] = [
  'Spin forever',
  'Sleep 5000 ms',
  'Crash a worker',
  'Flood updates for 3 seconds',
  'Return 50 MB',
  'Spin forever and flood updates for 10 seconds',
]
