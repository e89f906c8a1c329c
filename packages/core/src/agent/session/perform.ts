import { defined } from '../../internal/defined.ts'
import { isObject } from '../../internal/json.ts'
import type { Fact } from '../../kernel/events.ts'
import type { State } from '../../kernel/state.ts'
import { markedAgain } from '../../tools/result/tool-result.ts'
import type { Commands } from '../handle.ts'
import type { RunResult } from '../run.ts'
import type { SessionPorts } from './ports.ts'
import { refusalOf } from './refusal.ts'
import type { RoleOptions } from './role.ts'
import type { RunWish, Said, StartWish, Wish } from './wish.ts'

/**
 * The fact that each command writes, if it writes any. It names the wish, so that the next owner can see that it was
 * done.
 */
const factOf = {
  prompt: 'agent_start',
  continue: 'agent_start',
  regenerate: 'agent_start',
  steer: 'queue_update',
  followUp: 'queue_update',
  clearQueues: 'queue_update',
  takeQueued: 'queue_update',
  abort: 'abort_requested',
  cancelTool: 'tool_cancel_requested',
  retryTool: 'tool_retry_requested',
  addToolResult: 'tool_result_staged',
  respondToApproval: 'tool_approval_resolved',
  moveHead: 'head_moved',
  redact: 'message_redacted',
} as const satisfies { readonly [Command in Wish['command']]: Fact['type'] }

/** Does what other agents on the session ask for. */
export interface Grants {
  /** The id of the wish, a follower's command, that caused this fact. */
  readonly wishOf: (fact: Fact) => string | undefined
  /**
   * Does a wish. Resolves when its events are stored, with the id of its run; rejects as the command does. Never settles
   * once the agent is no longer the owner.
   */
  readonly perform: (id: string, wish: Wish) => Promise<string | undefined>
  /** Does a wish once, however often it is asked, and answers it each time. */
  readonly grant: (asked: Extract<Said, { readonly say: 'wish' }>) => void
}

export interface GrantOptions extends Pick<RoleOptions, 'ports' | 'say' | 'redact'> {
  /** Resolves when what was written is stored; never if it cannot be. */
  readonly stored: () => Promise<void>
  /** Whether the agent still writes the session. */
  readonly isOwner: () => boolean
}

export function createGrants({ ports, say, redact, stored, isOwner }: GrantOptions): Grants {
  const underWay = new Map<string, Wish>()
  const answers = new Map<string, Said | null>()
  let answering: Promise<unknown> = Promise.resolve()

  async function start(id: string, wish: Wish): Promise<string | undefined> {
    if (wish.command === 'redact') {
      await redact(wish.messageId, id)
      return undefined
    }
    if (wish.command !== 'addToolResult') return perform(ports, wish)
    // One command after the other, because the facts of two answers can only be matched by their order.
    const done = answering.then(() => perform(ports, wish))
    answering = done.catch(() => {})
    return done
  }

  async function performOwned(id: string, wish: Wish): Promise<string | undefined> {
    // Loads the code of the command first, so that the command is then written at once, or not at all.
    const loading = ports.commands().loadFor(wish)
    if (loading) await loading
    // The command waits for the next owner. It is not given back to the commands, because they have left it to this
    // agent.
    if (!isOwner()) return never()
    underWay.set(id, wish)
    const started = start(id, wish)
    if (wish.command !== 'addToolResult') underWay.delete(id)
    try {
      const runId = await started
      await stored()
      if (isOwner()) return runId
    } catch (error) {
      if (isOwner()) throw error
    } finally {
      underWay.delete(id)
    }
    return never()
  }

  return {
    wishOf: (fact) => {
      const found = [...underWay].find(([, wish]) => isEffect(fact, wish))
      if (found) underWay.delete(found[0])
      return found?.[0]
    },
    perform: performOwned,
    grant: ({ id, wish }) => {
      const before = answers.get(id)
      if (before) say(before)
      if (before !== undefined) return
      const answer = (said: Said) => {
        answers.set(id, said)
        say(said)
      }
      answers.set(id, null)
      performOwned(id, wish).then(
        (runId) => answer({ say: 'granted', id, runId }),
        (error: unknown) => answer({ say: 'refused', id, refusal: refusalOf(error) }),
      )
    },
  }
}

function never(): Promise<never> {
  return new Promise(() => {})
}

function isEffect(fact: Fact, wish: Wish): boolean {
  if (fact.type !== factOf[wish.command]) return false
  return !('toolCallId' in wish && 'toolCallId' in fact) || fact.toolCallId === wish.toolCallId
}

/** Resolves when the command is done: for a run when the run has started, with its id. Rejects as the command does. */
async function perform(
  { commands: current, state }: Pick<SessionPorts, 'commands' | 'state'>,
  wish: Exclude<Wish, { readonly command: 'redact' }>,
): Promise<string | undefined> {
  const commands = current()
  switch (wish.command) {
    case 'prompt':
    case 'continue':
    case 'regenerate':
    case 'retryTool':
      return begin(() => runOf(commands, wish), state)
    case 'addToolResult': {
      const { toolCallId, result, toolName, isError, isMarked } = wish
      const given = isMarked && isObject(result) ? markedAgain(result) : result
      await commands.addToolResult(toolCallId, given, { ...defined({ toolName }), isError })
      return undefined
    }
    case 'steer':
    case 'followUp':
      commands[wish.command](wish.input)
      return undefined
    case 'clearQueues':
      commands.clearQueues()
      return undefined
    case 'takeQueued':
      commands.takeQueued(wish.message)
      return undefined
    case 'abort':
      commands.abort(wish.reason)
      return undefined
    case 'cancelTool':
      commands.cancelTool(wish.toolCallId)
      return undefined
    case 'respondToApproval':
      commands.respondToApproval(wish.toolCallId, wish.response)
      return undefined
    case 'moveHead':
      commands.moveHead(wish.messageId)
      return undefined
  }
}

function runOf(commands: Commands, wish: RunWish): Promise<RunResult> {
  switch (wish.command) {
    case 'prompt': {
      const place = defined({ after: wish.after })
      const output = outputOf(wish)
      return output
        ? commands.prompt(wish.input, { ...place, ...output })
        : commands.prompt(wish.input, place)
    }
    case 'retryTool': {
      const { toolCallId, toolName, args } = wish
      return commands.retryTool(toolCallId, defined({ toolName, args }))
    }
    default: {
      const output = outputOf(wish)
      return output ? commands[wish.command](output) : commands[wish.command]()
    }
  }
}

function outputOf({ output }: StartWish) {
  return output && { output: output.schema, maxRepairs: output.maxRepairs }
}

/** Starts a run, or something in the active one, which is written at once or not at all. */
async function begin(start: () => Promise<RunResult>, state: () => State): Promise<string> {
  const before = state()
  const done = start()
  const { run, lastRun, nextSeq } = state()
  // A run ends at once if all that it does is to refuse a call beside others that wait.
  const begun = run ?? (lastRun === before.lastRun ? null : lastRun)
  if (begun && nextSeq !== before.nextSeq) {
    // The log says how the run ends. The run may be one that a listener has started in place of this command's own.
    done.catch(() => {})
    return begun.runId
  }
  const { error } = await done
  throw new Error(error?.message ?? 'The run ended before it began.')
}
