/** A task for one click. */
export interface Starter {
  readonly title: string
  readonly prompt: string
}

/** They run on the table that ships with the page, and bring it along. */
export const starters: readonly Starter[] = [
  {
    title: 'Ask a table',
    prompt: 'How many time zones are there, and which five countries have the most time zones?',
  },
  {
    title: 'Draw the answer',
    prompt: 'Plot the number of time zones by area',
  },
  {
    title: 'Three threads at once',
    prompt: 'Estimate pi with 20 million samples, hash the file, and list the areas',
  },
  {
    title: 'Narrow it down',
    prompt: 'Which countries have the most time zones with a latitude over 60?',
  },
]

/** What the tools under `?dev` do wrong. */
export const devPrompts: readonly Starter[] = [
  { title: 'Spin forever', prompt: '/dev_spin {}' },
  { title: 'Sleep 5000 ms', prompt: '/dev_sleep {"ms":5000}' },
  { title: 'Crash a worker', prompt: '/dev_crash {}' },
  { title: 'Flood updates for 3 seconds', prompt: '/dev_flood {"seconds":3}' },
  { title: 'Return 50 MB', prompt: '/dev_huge {"megabytes":50}' },
  {
    title: 'Spin forever and flood updates for 10 seconds',
    prompt: '/dev_spin {}\n/dev_flood {"seconds":10}',
  },
]
