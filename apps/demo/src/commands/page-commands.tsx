import { sessionsIn } from '@offthread/core/sessions'
import type { ReactNode } from 'react'
import type { DemoAgent, Kept } from '../agent.ts'
import { verbosities, verbosity } from '../chat/announcer.tsx'
import { focusComposer } from '../chat/focus-composer.ts'
import { newChatAddress } from '../open-kept.ts'
import { download } from '../text/download.ts'
import { textOfError } from '../text/error-text.ts'
import { theme, themes } from '../theme/theme.ts'
import { Button } from '../ui/button.tsx'
import type { PageParts } from './page-parts.ts'
import { editLastQuestion, goToAnswer, goToApproval } from './places.ts'
import { shortcuts } from './shortcuts.ts'

/** Something that the page can do. */
export interface Command {
  readonly name: string
  /** Other words by which the command is found. */
  readonly also?: string
  readonly keys?: readonly string[]
  readonly run: () => void
}

const anywhere = shortcuts.Anywhere
const inField = shortcuts['In the message field']

/** The commands that are possible now. */
export function commandsOf(page: PageParts): readonly Command[] {
  const { kept } = page.session
  return [
    ...runCommands(page),
    ...chatCommands(page),
    ...(kept ? keptCommands(kept, page) : []),
    ...placeCommands(page),
    ...pageCommands(page),
  ]
}

function runCommands({ session, replayed }: PageParts): readonly Command[] {
  const { agent, tryAgain } = session
  const { can } = agent.getState()
  return [
    ...(can.stop ? [{ name: 'Stop the run', keys: ['Esc'], run: () => agent.abort() }] : []),
    ...(replayed ? [{ name: 'Back to live', also: 'exit replay', run: replayed.exit }] : []),
    ...(can.continue ? [{ name: 'Continue', also: 'resume try again', run: tryAgain }] : []),
  ]
}

/** The commands on the conversation; in a replay there are none. */
function chatCommands({ session, replayed, say }: PageParts): readonly Command[] {
  const { agent, attachments } = session
  const { can, messages } = agent.getState()
  if (replayed) return []
  const attach = async (): Promise<void> => attachments.add(await chooseFiles({ multiple: true }))
  const clear = (): void => {
    agent.moveHead(null)
    agent.clearQueues()
    say(<Cleared agent={agent} last={messages.at(-1)?.id ?? null} onDone={() => say('')} />)
  }
  return [
    { name: 'Attach files…', also: 'upload add image table', run: () => void attach() },
    ...(can.regenerate
      ? [
          { name: 'Answer again', also: 'regenerate retry', run: () => void agent.regenerate() },
          { name: 'Edit the last question', keys: inField.edit.keys, run: editLastQuestion },
        ]
      : []),
    ...(can.edit && messages.length > 0
      ? [{ name: 'Clear this chat', also: 'start over empty', run: clear }]
      : []),
  ]
}

interface ClearedProps {
  readonly agent: DemoAgent
  readonly last: string | null
  readonly onDone: () => void
}

function Cleared({ agent, last, onDone }: ClearedProps): ReactNode {
  const undo = (): void => {
    if (!agent.getState().can.edit) return
    agent.moveHead(last)
    onDone()
    focusComposer()
  }
  return (
    <>
      The chat is empty.{' '}
      <Button className="text-button" onClick={undo}>
        Undo
      </Button>
    </>
  )
}

/** The commands on stored chats. */
function keptCommands(
  { storage, sessionId }: Kept,
  { session, say }: PageParts,
): readonly Command[] {
  const chats = sessionsIn(storage)
  const attempt = (work: () => Promise<void>) => () => {
    // The page calls a session a chat.
    work().catch((error: unknown) => say(textOfError(error).replaceAll(/\bsession\b/g, 'chat')))
  }
  const save = async (): Promise<void> => {
    await session.agent.stored()
    const { title } = (await chats.list()).find((each) => each.sessionId === sessionId) ?? {}
    download(`${title || 'Chat'}.jsonl`, await new Response(await chats.export(sessionId)).blob())
  }
  const read = async (): Promise<void> => {
    const [file] = await chooseFiles({ accept: '.jsonl' })
    if (file) openChat((await chats.import(file)).sessionId)
  }
  return [
    {
      name: 'Chats…',
      also: 'open history rename delete',
      run: () => session.dialogs.open('chats'),
    },
    { name: 'Export this chat', also: 'save download jsonl', run: attempt(save) },
    { name: 'Import a chat…', also: 'load upload jsonl', run: attempt(read) },
  ]
}

/** Shows another chat. The page follows its address. */
export function openChat(sessionId: string): void {
  location.hash = sessionId
}

/** The commands that move the focus to a part of the page. */
function placeCommands({ panel, replayed }: PageParts): readonly Command[] {
  const replay = (): void => panel.enter('input[type="range"]')
  return [
    panel.isOpen
      ? { name: 'Close the run panel', keys: anywhere.panel.keys, run: panel.close }
      : { name: 'Open the run panel', keys: anywhere.panel.keys, run: panel.toggle },
    { name: 'Go to the timeline', keys: anywhere.timeline.keys, run: () => panel.enter(grid) },
    ...(replayed ? [] : [{ name: 'Replay this chat', also: 'time travel events', run: replay }]),
    { name: 'Go to the last answer', keys: anywhere.answer.keys, run: goToAnswer },
    { name: 'Go to the next approval', keys: anywhere.approval.keys, run: goToApproval },
  ]
}

const grid = '[role="grid"]'

function pageCommands({ session: { models, dialogs } }: PageParts): readonly Command[] {
  const current = theme.getState().chosen
  return [
    { name: 'New chat', run: () => location.assign(newChatAddress()) },
    { name: 'Choose the model…', also: 'provider key anthropic openai', run: models.openMenu },
    ...themes
      .filter((each) => each !== current)
      .map((each) => ({ name: `Theme: ${each}`, also: 'colour', run: () => theme.choose(each) })),
    ...verbosities
      .filter((each) => each !== verbosity.getState().chosen)
      .map((each) => ({
        name: `Announcements: ${each}`,
        also: 'screen reader speech verbosity',
        run: () => verbosity.choose(each),
      })),
    {
      name: 'Keyboard shortcuts',
      also: 'keys help',
      keys: anywhere.keys.keys,
      run: () => dialogs.open('keys'),
    },
  ]
}

/** Lets the person choose files. Resolves without any if they choose none. Call it in the handler of a click or a key. */
function chooseFiles(options: {
  readonly accept?: string
  readonly multiple?: boolean
}): Promise<readonly File[]> {
  const input = Object.assign(document.createElement('input'), { type: 'file', ...options })
  return new Promise((resolve) => {
    const end = (): void => resolve([...(input.files ?? [])])
    input.addEventListener('change', end)
    input.addEventListener('cancel', end)
    input.click()
  })
}
