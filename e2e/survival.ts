import type { DurableEvent, EventOf } from '@offthread/core'
import { expect, type Page } from '@playwright/test'
import type { Witness } from './witness.ts'

/** An event by its name at the witness. */
export const nameOf = ({ seq, type }: DurableEvent): string => `${seq} ${type}`

/** Opens the page's session, and gives what is stored of it. */
export function readLog(page: Page): Promise<readonly DurableEvent[]> {
  return page.evaluate(async () => {
    await window.offthread.agent.ready
    await window.offthread.agent.stored()
    return window.storage.read(location.hash.slice(1))
  })
}

/**
 * The page at rest has a log without a gap, with all that was acknowledged. Each call has one end or waits for a person,
 * none ran twice, each that succeeded has its result, and the cards say the same.
 */
export async function expectWhole(page: Page, witness: Witness): Promise<void> {
  const log = await readLog(page)
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
  const stored = new Set(log.map(nameOf))
  expect(witness.acknowledged.filter((name) => !stored.has(name))).toEqual([])
  expect(witness.ran.length).toBe(new Set(witness.ran).size)

  const ends = log.filter((event) => event.type === 'tool_execution_end')
  const started = log.filter((event) => event.type === 'tool_execution_start')
  const waiting = await waitingCalls(page)
  expect([...ends.map(idOf), ...waiting].toSorted()).toEqual(started.map(idOf).toSorted())
  for (const end of ends) expectHonest(end, witness)
  await expectCards(
    page,
    started.map(idOf),
    new Map([
      ...waiting.map((id): [string, string] => [id, 'awaiting_approval']),
      ...ends.map((end): [string, string] => [idOf(end), end.outcome]),
    ]),
  )
}

/** The calls that wait for a person. */
function waitingCalls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { active } = window.offthread.agent.getState().toolCalls
    return active.filter(({ approval }) => approval).map(({ toolCallId }) => toolCallId)
  })
}

const idOf = ({ toolCallId }: { readonly toolCallId: string }): string => toolCallId

/** What the end of a call says is what became of it. */
function expectHonest(end: EventOf<'tool_execution_end'>, { ran }: Witness): void {
  const { toolCallId, outcome, mayHaveRun, result } = end
  if (outcome === 'succeeded') {
    expect(result.content).toEqual([{ type: 'text', text: `Done: ${toolCallId}` }])
  } else if (outcome === 'interrupted') {
    if (ran.includes(toolCallId)) expect(mayHaveRun, toolCallId).toBe(true)
  } else {
    expect(['cancelled', 'denied'], toolCallId).toContain(outcome)
  }
}

async function expectCards(
  page: Page,
  toolCallIds: readonly string[],
  outcomes: ReadonlyMap<string, string>,
): Promise<void> {
  const cards = page.locator('[data-tool]')
  await expect(page.getByRole('region', { name: 'Run status' })).toHaveCount(0)
  // The page draws the last turns only.
  const statuses = await cards.evaluateAll((all) =>
    all.map((card) => card.getAttribute('data-status')),
  )
  const expected = toolCallIds.map((id) => outcomes.get(id))
  expect(statuses).toEqual(statuses.length > 0 ? expected.slice(-statuses.length) : [])
}

/** Goes on with the run that was cut off, if one was, to its end. The server takes the history. */
export async function goOn(page: Page): Promise<void> {
  const reason = await page.evaluate(async () => {
    const { agent } = window.offthread
    const allow = (toolCallId: string, argsDigest: string) =>
      agent.respondToApproval(toolCallId, { decision: 'approve', argsDigest })
    agent.subscribe((event) => {
      if (event.type === 'tool_approval_requested') allow(event.toolCallId, event.argsDigest)
    })
    for (const { toolCallId, approval } of agent.getState().toolCalls.active) {
      if (approval) allow(toolCallId, approval.argsDigest)
    }
    await agent.stored()
    const { isActive, lastReason } = agent.getState()
    if (!isActive)
      return lastReason === 'interrupted' ? (await agent.continue()).reason : lastReason
    // The last answer that was missing has started a run.
    return new Promise<string | null>((resolve) => {
      agent.store.subscribe((state) => {
        if (!state.isActive) resolve(state.lastReason)
      })
    })
  })
  expect(['stop', 'aborted', null]).toContain(reason)
}
