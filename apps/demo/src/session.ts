import type { Delivery } from '@offthread/react/composer'
import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { DemoAgent, DemoOptions } from './agent.ts'
import { createApprovals } from './approvals.ts'
import { deletedChats } from './chats/deleted-chats.ts'
import { createPageDialogs } from './commands/page-dialogs.ts'
import { createAttachments, type PendingFile, toParts } from './files/attachments.ts'
import { keepFiles } from './files/keep-files.ts'
import { fitInWorker } from './images/fit-in-worker.ts'
import { showFiles } from './images/show-files.ts'
import { sightOf } from './images/sights.ts'
import { keepTables, restoreTables } from './keep-tables.ts'
import { createAutoRetry } from './model/auto-retry.ts'
import { createModels, type ModelsState } from './model/models.ts'
import { plannerModel } from './model/planner-model.ts'
import { createShownCall } from './run-panel/shown-call.ts'
import { createLogReader } from './tools/event-log.ts'

/** What comes with a message, and whether it is said into the run that is active. */
export interface HowToSend {
  readonly files?: readonly PendingFile[]
  readonly delivery?: Delivery
}

export type Session = ReturnType<typeof createSession>

/** The agent of the page, and what the page keeps beside it. */
export function createSession(agent: DemoAgent, { dev, store, kept, ...pace }: DemoOptions) {
  const files = keepFiles(agent, kept, store)
  const sight = () => sightOf(models.getState().settings)
  agent.configure({ hooks: [showFiles({ sight, find: files.find, makeFit: fitInWorker })] })
  keepTables(agent, store)
  store.setLog(createLogReader(agent))
  if (kept) void deletedChats.finishLeft(kept.storage)
  // The page shows why a session cannot be read.
  if (kept) restoreTables(agent, store).catch(() => {})
  const models = createModels(agent, () => plannerModel(pace))
  const autoRetry = createAutoRetry(agent)
  const applyChoices = (): void => {
    models.apply()
    autoRetry.apply()
  }
  // A model that was chosen during a run is used from the end of the run on.
  agent.subscribe(({ type, agentId }) => {
    if (type === 'agent_end' && agentId === undefined) queueMicrotask(applyChoices)
  })
  // The state shows how a run ended. A rejection here is a mistake in the page.
  const run = (start: () => Promise<unknown>): void => {
    applyChoices()
    start().catch((error: unknown) => console.error(error))
  }
  return {
    agent,
    /** Whether `agent` only shows an earlier state of the chat. */
    isReplay: false,
    /** Where the page keeps its chats. */
    kept,
    /** Offers tools that misbehave. */
    dev,
    models,
    autoRetry,
    dialogs: createPageDialogs(),
    shownCall: createShownCall(),
    approvals: createApprovals(agent, kept),
    attachments: createAttachments(),
    /** The image or the PDF with this digest, if it was sent. */
    findFile: files.find,
    /** Whether a file of this name was sent. */
    hasFile: (name: string) => store.getState().files.has(name),
    /**
     * Sends a message with its files, or has it wait while a run is active. Returns false, and sends nothing, if it is
     * empty, or nothing can be said any more.
     */
    send: (text: string, { files: sent = [], delivery }: HowToSend = {}) => {
      const parts = toParts(text, sent)
      const { can, access, storage } = agent.getState()
      if (parts.length === 0 || !can.send) return false
      for (const file of sent) files.add(file)
      const say = (): void => {
        if (!agent.isRunning()) run(() => agent.prompt(parts))
        else if (delivery === 'steer') agent.steer(parts)
        else agent.followUp(parts)
      }
      // Another tab owns the session, and needs the files to be stored before the message comes.
      if (access === 'owner' && storage !== 'opening') say()
      else void files.written().then(say)
      return true
    },
    /** Continues a run that failed or was cut off, with the model that is chosen now. Results of tools are kept. */
    tryAgain: () => {
      if (!agent.isRunning()) run(() => agent.continue())
    },
  }
}

export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('Render this inside <SessionContext value={session}>.')
  return session
}

/** The current choice of model, and the state of the menu. */
export function useModels(): ModelsState {
  return useStore(useSession().models)
}
