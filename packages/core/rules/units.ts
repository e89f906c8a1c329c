import type { EventOf } from '../src/kernel/events.ts'
import { type Batch, type Call, isLive, type Session, type Unit } from './book.ts'

/** I9 and I14: calls start in call order, unit after unit. */
export function startInUnit(
  { check }: Session,
  event: EventOf<'tool_execution_start'>,
  call: Call,
): void {
  const { batch, index } = call
  check('I7', call.stage === 'announced', 'it started before')
  const isRetry = call.retriedAfter !== null
  const isNext = (isRetry || index === batch.started) && event.index === index
  check(
    'I9',
    isNext && event.batchSize === batch.calls.length,
    `start ${index}, due is ${batch.started}`,
  )
  batch.started = Math.max(batch.started, index + 1)
  call.place = event.place
  call.stage = 'started'
  const unit = isRetry ? unitOfRetry(call) : unitFor(batch)
  unit.calls.push(call)
  call.unit = unit
}

/** A call that is retried may run beside those of the unit in which it ran before, and beside no others. */
function unitOfRetry(call: Call): Unit {
  const { batch } = call
  const own = batch.units.find(({ calls }) => calls.includes(call))
  return {
    index: own?.index ?? 0,
    calls: [],
    size: unitSize(batch),
    steered: false,
    early: !batch.units.every((unit) => unit === own || unit.calls.every(isIdle)),
    gathering: false,
    isCut: false,
  }
}

/** Whether a call is done, or was done and waits until it is retried. */
function isIdle(call: Call): boolean {
  return isDone(call) || (call.retriedAfter !== null && call.stage === 'announced')
}

export function isDone({ stage, place }: Call): boolean {
  return stage === 'ended' || place === 'client'
}

function unitFor(batch: Batch): Unit {
  const last = batch.units.at(-1)
  if (last?.gathering) return last
  const unit: Unit = {
    index: batch.units.length,
    calls: [],
    size: unitSize(batch),
    steered: batch.book.steering.waiting.length > 0,
    early: !batch.units.every(({ calls, isCut }) => isCut || calls.every(isDone)),
    gathering: true,
    isCut: false,
  }
  batch.units.push(unit)
  return unit
}

/** I14 and I16: what has to hold when a call is dispatched. */
export function checkDispatch({ check, setup }: Session, call: Call): void {
  const { batch, unit } = call
  if (!unit) return
  unit.gathering = false
  check('I9', !unit.early, 'it started before the unit before was done')
  const { size } = unit
  const isAgent = (one: Call) => setup.tools[one.toolName]?.isAgent === true
  // A call whose code has ended may still be in a hook; its slot is free.
  const running = batch.calls.filter((one) => one !== call && isLive(one) && !one.reply)
  check('I14', running.length < size, `${running.length} calls run, ${size} are allowed`)
  const inSlots = running.filter((one) => !isAgent(one)).length
  const hasSlot = inSlots < setup.maxConcurrency || isAgent(call)
  check('I14', hasSlot, `${inSlots} calls run, ${setup.maxConcurrency} are allowed`)
  // The start of a skipped call and its skip are one append. In a log that was cut between them the call may go on.
  const maySkip = unit.index > 0 && unit.steered && !batch.lost
  check('I16', !maySkip, 'it should have been skipped')
  const isSequential = (one: Call) => setup.tools[one.toolName]?.sequential === true
  const isApart = !isSequential(call) && !running.some(isSequential)
  check('I14', isApart || running.length === 0, 'a sequential tool runs beside another')
  const counted = unit.calls.filter(
    ({ place, index }) => place !== 'client' && index < setup.maxCallsPerTurn,
  )
  check('I14', counted.length <= size, `a unit of ${counted.length}, ${size} are allowed`)
  check(
    'I14',
    counted.length === 1 || !counted.some(isSequential),
    'a sequential tool shares a unit',
  )
  // The starts of a unit are one append, too.
  const isWhole =
    batch.lost || call.retriedAfter !== null || isFull(unit, { batch, size, isSequential, setup })
  check('I14', isWhole, 'the unit is too small')
}

interface Scene {
  readonly batch: Batch
  readonly size: number
  readonly isSequential: (call: Call) => boolean
  readonly setup: Session['setup']
}

function isFull(unit: Unit, { batch, size, isSequential, setup }: Scene): boolean {
  const next = batch.calls[(unit.calls.at(-1)?.index ?? 0) + 1]
  if (!next || next.index >= setup.maxCallsPerTurn || unit.calls.length >= size) return true
  if (size === Number.POSITIVE_INFINITY) return isSequential(next) || unit.calls.some(isSequential)
  // It is not promised how calls from outside, and tools that run alone, divide the groups.
  return batch.calls.some((call) => isSequential(call) || call.place === 'client')
}

/** How many calls may be together in a unit. */
function unitSize({ strategy }: Batch): number {
  if (strategy === 'parallel') return Number.POSITIVE_INFINITY
  return strategy === 'sequential' ? 1 : strategy.size
}
