import { availableParallelism, hostname } from 'node:os'
import { parseArgs } from 'node:util'
import { messageOf } from '../wire/message-of.ts'

/** What `offthread-tools serve` was asked for. */
export interface ServeCommand {
  readonly script: string
  readonly nats: string
  readonly fleet: string
  readonly name: string
  readonly maxCalls: number
  /** A file with credentials of NATS. */
  readonly creds?: string
}

export const usage = `Usage: offthread-tools serve SCRIPT [options]

Runs the tools of SCRIPT, a module that calls serveTools([…]), for pages that use inFleet.

  --nats ADDRESS   of the NATS server; default nats://127.0.0.1:4222
  --fleet NAME     of the fleet to join; default default
  --name NAME      of this process, which its calls show; default that of the machine and a number
  --calls NUMBER   how many run at the same time; default the number of processors
  --creds FILE     with credentials of NATS

NATS_USER and NATS_PASSWORD, or NATS_TOKEN, in the environment sign in as well.`

const options = {
  nats: { type: 'string', default: 'nats://127.0.0.1:4222' },
  fleet: { type: 'string', default: 'default' },
  name: { type: 'string', default: `${hostname()}-${process.pid}` },
  calls: { type: 'string', default: String(availableParallelism()) },
  creds: { type: 'string' },
} as const

/** The command, or what is wrong with it. */
export function readCommand(args: readonly string[]): ServeCommand | string {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true })
    const [verb, script, ...more] = positionals
    if (verb !== 'serve') return 'The only command is serve.'
    if (script === undefined || more.length > 0) return 'serve needs one script.'
    const { nats, fleet, name, calls, creds } = values
    const maxCalls = Number(calls)
    if (!Number.isSafeInteger(maxCalls) || maxCalls < 1)
      return '--calls needs a number of at least 1.'
    return { script, nats, fleet, name, maxCalls, ...(creds !== undefined && { creds }) }
  } catch (error) {
    return messageOf(error)
  }
}
