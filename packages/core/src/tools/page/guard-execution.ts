import { createDeferred } from '../../internal/deferred.ts'
import { isObject } from '../../internal/json.ts'
import { reportLater } from '../../internal/report-later.ts'
import { toLine } from '../content.ts'
import type { CallNotice, Execution, Settlement } from '../host.ts'
import { readCallMessage, readSettlement } from '../protocol.ts'
import { type ExecutionOptions, isMade } from './execution.ts'

/**
 * An execution whose commands do not throw, which ends when it was stopped, says nothing after that, and gives nothing but
 * what events can hold. An app may bring a place of its own, in which anything may be wrong.
 */
export function guardExecution(
  execution: Execution,
  { graceMs, clock }: ExecutionOptions,
): Execution {
  const cutOff = createDeferred<Settlement>()
  let cancelTimer = () => {}
  const command = (name: 'stop' | 'close') => {
    cancelTimer()
    try {
      execution[name]()
    } catch (error) {
      reportLater(error)
    }
  }
  return {
    get ready() {
      return execution.ready
    },
    run: async (request, listener) => {
      let hasEnded = false
      const running = execution.run(request, (given) => {
        if (hasEnded) return
        const notice = isMade(given) ? given : readNotice(given)
        if (notice) listener(notice)
      })
      try {
        const settlement = await Promise.race([running, cutOff.promise])
        return isMade(settlement) ? settlement : readGiven(settlement)
      } finally {
        hasEnded = true
        cancelTimer()
      }
    },
    stop: () => {
      command('stop')
      cancelTimer = clock.setTimer(graceMs, () =>
        cutOff.resolve({ kind: 'stopped', how: 'terminated' }),
      )
    },
    close: () => command('close'),
  }
}

function readNotice(given: unknown): CallNotice | undefined {
  const message = isObject(given)
    ? readCallMessage(given, { executionId: '', budget: { left: 0 } })
    : undefined
  if (!message || message.type === 'alive' || message.type === 'settled') return undefined
  const { executionId: _, ...notice } = message
  return notice
}

function readGiven(given: unknown): Settlement {
  const { kind, how, message } = isObject(given) ? given : {}
  if (kind === 'stopped' && (how === 'cooperative' || how === 'terminated')) return { kind, how }
  if (kind === 'crashed') return { kind, message: toLine(message) ?? 'It gave no reason.' }
  const settlement = readSettlement(given, { left: 0 })
  if (settlement) return settlement
  return kind === 'returned' || kind === 'threw'
    ? { kind: 'threw', errorKind: 'invalid_result', message: unreadable }
    : { kind: 'crashed', message: 'Its place did not say how it ended.' }
}

const unreadable =
  'The place of the tool gave a result that is not valid: parts as content, other fields as JSON, and none over its limit.'
