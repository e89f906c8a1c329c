/** A task for the first click. It runs on the tables that ship with the page. */
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
    title: 'Three threads at once',
    prompt: 'Estimate pi with 20 million samples and hash both files',
  },
  {
    title: 'Narrow it down',
    prompt: 'Which countries have more than 10 time zones?',
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
