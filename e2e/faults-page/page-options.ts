/** The fault of the tool's script; absent if it is correct. */
export type WrongWorker = 'page' | 'syntax' | 'import' | 'silent' | 'other' | 'foreign' | 'classic'

/** What the address of the page asks for. */
export interface FaultsPageOptions {
  readonly worker: WrongWorker | undefined
  /** The fault of the tool's schema. */
  readonly schema: 'throws' | 'hangs' | undefined
  /** Two tools of one name. */
  readonly twice: boolean
  /** The model makes the same wrong call in every answer. */
  readonly stubborn: boolean
  readonly bootTimeoutMs: number | undefined
  readonly timeoutMs: number | undefined
  readonly maxSilenceMs: number | undefined
  readonly maxConcurrency: number | undefined
  readonly maxCallsPerTurn: number | undefined
}

const wrongWorkers = ['page', 'syntax', 'import', 'silent', 'other', 'foreign', 'classic'] as const
const wrongSchemas = ['throws', 'hangs'] as const

export function readFaultsPageOptions(search: string): FaultsPageOptions {
  const parameters = new URLSearchParams(search)
  const number = (name: string): number | undefined => {
    const text = parameters.get(name)
    return text === null ? undefined : Number(text)
  }
  return {
    worker: wrongWorkers.find((one) => one === parameters.get('worker')),
    schema: wrongSchemas.find((one) => one === parameters.get('schema')),
    twice: parameters.has('twice'),
    stubborn: parameters.has('stubborn'),
    bootTimeoutMs: number('bootTimeoutMs'),
    timeoutMs: number('timeoutMs'),
    maxSilenceMs: number('maxSilenceMs'),
    maxConcurrency: number('maxConcurrency'),
    maxCallsPerTurn: number('maxCallsPerTurn'),
  }
}
