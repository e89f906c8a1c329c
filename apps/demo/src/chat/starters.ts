/** A task for one click. */
export interface Starter {
  readonly title: string
  readonly prompt: string
  /** The question is about a table that ships with the page, and is sent along, or about one that the page makes. */
  readonly table?: 'sent' | 'made'
}

/** Each shows another feature, runs at once, and needs no network. */
export const starters: readonly Starter[] = [
  {
    title: 'Ask a table',
    prompt: 'How many time zones are there, and which five countries have the most time zones?',
    table: 'sent',
  },
  {
    title: 'Draw 200,000 rows',
    prompt: 'Load the synthetic orders and plot the sum of revenue by month',
    table: 'made',
  },
  {
    title: 'Eight threads, one picture',
    prompt: 'Draw the Mandelbrot set in 8 tiles',
  },
  {
    title: 'Watch four work, stop one',
    prompt:
      'Estimate pi with 300 million samples, hash the file, compress the file, and search the docs for a reload in the middle of a run',
    table: 'sent',
  },
]

/** The starter whose question this is, however it is typed. */
export function starterOf(question: string): Starter | undefined {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
  return starters.find(({ prompt }) => plain(prompt) === plain(question))
}

/** Prompts for the tools under `?dev`, which misbehave. */
export const devPrompts: readonly Starter[] = [
  { title: 'Spin forever', prompt: '/dev_spin {}' },
  { title: 'Sleep 5000 ms', prompt: '/dev_sleep {"ms":5000}' },
  { title: 'Crash a worker', prompt: '/dev_crash {}' },
  { title: 'Fail twice, then succeed', prompt: '/dev_flaky {"failures":2}' },
  { title: 'Flood updates for 3 seconds', prompt: '/dev_flood {"seconds":3}' },
  { title: 'Return 50 MB', prompt: '/dev_huge {"megabytes":50}' },
  { title: 'Ask first', prompt: '/dev_approve {"what":"this"}' },
  {
    title: 'Spin forever and flood updates for 10 seconds',
    prompt: '/dev_spin {}\n/dev_flood {"seconds":10}',
  },
]
