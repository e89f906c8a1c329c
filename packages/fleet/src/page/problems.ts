import { fleetVersion } from '../wire/handshake.ts'
import { maxKeptBytes } from '../wire/link.ts'
import { messageOf } from '../wire/message-of.ts'
import { maxMessageBytes, megabytes } from '../wire/pack.ts'
import { FleetError } from './fleet-error.ts'

/** What each failure says to a developer and to the model. */
export const problems = {
  unreachable: (cause: unknown): FleetError =>
    new FleetError(
      'connection',
      `There is no connection to the NATS server (${messageOf(cause)}). Check its address, that it runs, and the name, password or token that it is given.`,
      { cause },
    ),

  ended: (reason: unknown): FleetError =>
    new FleetError(
      'connection',
      `The connection to the NATS server has ended${reason instanceof Error ? ` (${messageOf(reason)})` : ''}.`,
    ),

  noInbox: (subject: string, cause: Error): FleetError =>
    new FleetError(
      'connection',
      `The connection may not subscribe to its inbox ${subject} (${messageOf(cause)}). Give its user the permission, or inFleet the inbox it may use.`,
      { cause },
    ),

  noProcess: (fleet: string): FleetError =>
    new FleetError(
      'no_process',
      `No process of the fleet "${fleet}" is running. Start one: offthread-tools serve ./tools.worker.js --nats nats://… --fleet ${fleet}`,
    ),

  noRoom: (fleet: string): FleetError =>
    new FleetError(
      'full',
      `The processes of the fleet "${fleet}" run as many calls as they may. Start another one, or raise its --calls.`,
    ),

  noAnswer: (fleet: string): FleetError =>
    new FleetError(
      'silent',
      `No process of the fleet "${fleet}" has answered in time. Check that they run, and that this connection may publish to offthread.tools.${fleet}.>.`,
    ),

  otherVersion: (process: string, version: number): FleetError =>
    new FleetError(
      'version',
      `The process ${process} has version ${version} of the fleet's protocol, the page version ${fleetVersion}: use the same version of @offthread/fleet for both.`,
    ),

  silent: (process: string, ms: number): FleetError =>
    new FleetError(
      'silent',
      `The process ${process} gave no sign of life for ${ms / 1000} s: it has ended or hangs, or the network is down.`,
    ),

  notTaken: (process: string): FleetError =>
    new FleetError(
      'silent',
      `The process ${process} does not take what it is sent: more than ${megabytes(maxKeptBytes)} wait for it.`,
    ),

  left: (process: string): FleetError =>
    new FleetError('silent', `The process ${process} was ended, and the call with it.`),

  unreadable: (process: string): FleetError =>
    new FleetError('unreadable', `A message of the process ${process} could not be read.`),

  tooLarge: (process: string): FleetError =>
    new FleetError(
      'too_large',
      `The process ${process} sent a message of more than ${megabytes(maxMessageBytes)}.`,
    ),
}
