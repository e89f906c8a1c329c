import { defined } from '../../internal/defined.ts'
import { isObject } from '../../internal/json.ts'
import type { State } from '../../kernel/state.ts'
import { markedAgain } from '../../tools/result/tool-result.ts'
import type { Commands } from '../handle.ts'
import type { RunResult } from '../run.ts'
import type { SessionPorts } from './ports.ts'
import { refusalOf } from './remote-owner.ts'
import type { RoleOptions } from './role.ts'
import type { RunWish, Said, Wish } from './wish.ts'

/**
 * Does what another agent on the session asks for. Resolves when it is done: for a run when it has begun, with its id.
 * Rejects as the command does.
 */
export async function perform(
  { commands: current, state }: Pick<SessionPorts, 'commands' | 'state'>,
  wish: Wish,
): Promise<string | undefined> {
  const commands = current()
  switch (wish.command) {
    case 'prompt':
    case 'continue':
    case 'regenerate':
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
  if (wish.command !== 'prompt') return commands[wish.command]()
  return commands.prompt(wish.input, defined({ after: wish.after }))
}

/** Starts a run, which begins at once or not at all. */
async function begin(start: () => Promise<RunResult>, state: () => State): Promise<string> {
  const before = state().run
  const done = start()
  const { run } = state()
  if (run && run.runId !== before?.runId) return run.runId
  const { error } = await done
  throw new Error(error?.message ?? 'The run ended before it began.')
}

type Asked = Extract<Said, { readonly say: 'wish' }>

/** Does what is asked for and answers it: each wish once, because one that is not answered at once may come again. */
export function createGrant({ ports, say }: Pick<RoleOptions, 'ports' | 'say'>) {
  const heard = new Set<string>()
  return ({ id, wish }: Asked): void => {
    if (heard.has(id)) return
    heard.add(id)
    perform(ports, wish).then(
      (runId) => say({ say: 'granted', id, runId }),
      (error: unknown) => say({ say: 'refused', id, refusal: refusalOf(error) }),
    )
  }
}
