import type { WorldRules } from '../packages/core/rules/rules.ts'
import type { AgentEvent } from '../packages/core/src/kernel/events.ts'
import { textOf } from '../packages/core/src/kernel/message.ts'
import type { ActionPlan, ReloadKind } from './plan.ts'
import type { Session } from './session.ts'
import { createDesk } from './world/desk.ts'
import { openPage, type Page } from './world/page.ts'

/** No plan opens more pages at a time. */
const maxPages = 3

/**
 * Opens a page beside the others. The rules see what the page that owns the session writes: from the event on by
 * which a page opens the log, the log is what is stored, and what comes of that page.
 */
export function openBeside(session: Session): void {
  const { world, judge } = session
  const isWriter = (): boolean => session.writer === page
  let head = -1
  const page: Page = openPage(world, {
    event: (event) => {
      if (page.hasOpened(event)) {
        if (page.connection?.isOwner()) own(session, page, event)
        // Another page has claimed the session before this one had read it: nothing of what it writes is stored.
        else if (isWriter()) session.writer = null
      }
      // The page was replaced, and has read the session again: it follows from there.
      else if (isWriter() && event.seq < head && !page.connection?.isOwner()) session.writer = null
      head = event.seq
      if (isWriter()) session.see(event)
    },
    get world() {
      return isWriter() ? judge.rules.world : bystanderRules(session)
    },
    act: session.callBack,
  })
  session.pages.push(page)
}

function own(session: Session, page: Page, { seq }: AgentEvent): void {
  const { world, judge, writer } = session
  const stored = world.disk.events().slice(0, seq)
  world.desk = createDesk(stored)
  judge.reload(stored, writer?.connection?.acknowledged() ?? 0)
  session.writer = page
}

/** What must hold of a page that does not own the session any more: it ends what it began, and starts nothing. */
function bystanderRules({ judge }: Session): WorldRules {
  const ignored = (): void => {}
  return {
    ...{
      requested: ignored,
      checked: ignored,
      replied: ignored,
      hooked: ignored,
      queued: ignored,
    },
    ...{ workers: ignored, still: ignored, rest: ignored },
    affected: (effect) => judge.rules.world.affected(effect),
    posted: ({ toolCallId, durable }) => {
      if (!durable) judge.broken('D77', `a page without the session runs ${toolCallId}`)
    },
  }
}

/** Whether the rules see what the owner does now. */
export function isWriting({ world, writer, pages }: Session): boolean {
  if (!world.plan.pages) return true
  if (!writer?.connection || !pages.includes(writer)) return false
  return writer.connection.isOwner() && !writer.connection.isGivingWay()
}

/** The page whose user acts. */
export function pageOf({ pages, page }: Session, { by = 0 }: Pick<ActionPlan, 'by'>): Page {
  return pages[by % pages.length] ?? page
}

/** The page goes away. The last one never goes without another that comes. */
function closePage(session: Session, page: Page, how: ReloadKind): void {
  const { waiting, pages } = session
  pages.splice(pages.indexOf(page), 1)
  if (pages.length === 0) openBeside(session)
  if (how === 'disposed') {
    session.promise('dispose', page.dispose(), page)
    session.disposed.push(page)
  } else {
    // The promises of a page that is gone need not settle.
    for (const promised of waiting) if (promised.page === page) promised.settled = true
    if (how === 'crash_keeping') page.connection?.flush()
    if (how === 'hidden') hidePage(session, page)
    page.vanish()
  }
}

/** The browser announces that the page goes away: the text on its screen is stored by then. */
function hidePage(session: Session, page: Page): void {
  const { world, judge, writer } = session
  const isSound = world.plan.appends.length === 0 && isWriting({ ...session, pages: [page] })
  const { status, messages } = page.look()
  const last = status === 'streaming' ? messages.at(-1) : undefined
  // Only where there may be others, so that both kinds are tried.
  page.hide(true)
  if (!isSound || page !== writer || last?.role !== 'assistant') return
  const text = textOf(last.content)
  const isStored = world.disk.events().some((event) => {
    if (event.type === 'message_end') return event.message.id === last.id
    return (
      event.type === 'message_checkpoint' &&
      event.messageId === last.id &&
      textOf(event.content) === text
    )
  })
  if (text !== '' && !isStored) judge.broken('D8', `"${text}" was shown and is not stored`)
}

/** Does what happens to pages. Returns `false` if it is something else, or there is nothing to do it to. */
export function actOnPages(session: Session, action: ActionPlan): boolean {
  const page = pageOf(session, action)
  switch (action.do) {
    case 'open_page':
      if (session.pages.length >= maxPages) return false
      openBeside(session)
      return true
    case 'close_page':
      closePage(session, page, action.how)
      return true
    case 'reload':
      closePage(session, page, action.how)
      if (session.pages.length < maxPages) openBeside(session)
      return true
    case 'take_over':
      session.promise('takeOver', page.agent.takeOver(), page)
      return true
    case 'delete': {
      const { connection } = page
      if (connection) session.promise('delete', connection.delete('session'), page)
      return connection !== null
    }
    case 'cut_off':
      page.visitor.cutOff(action.ms)
      return true
    default:
      return false
  }
}
