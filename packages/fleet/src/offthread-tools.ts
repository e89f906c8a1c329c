#!/usr/bin/env node
import { pathToFileURL } from 'node:url'
import { checkScript } from './serve/check-script.ts'
import { connectToNats } from './serve/connect-to-nats.ts'
import { readCommand, type ServeCommand, usage } from './serve/read-command.ts'
import { serveFleet } from './serve/serve-fleet.ts'
import { startToolThread } from './serve/tool-thread.ts'
import { messageOf } from './wire/message-of.ts'

const signals = ['SIGINT', 'SIGTERM'] as const

/** Serves until a signal or the end of the connection. Rejects with an `Error` that says why it cannot. */
async function serve({ script, nats, fleet, name, maxCalls, creds }: ServeCommand): Promise<void> {
  const address = pathToFileURL(script)
  const toolNames = await checkScript(address)
  const connection = await connectToNats(nats, creds)
  const startThread = () => startToolThread(address)
  const member = serveFleet({ connection, fleet, name, maxCalls, startThread })
  await connection.flush()
  process.stdout.write(
    `${name} serves ${toolNames.join(', ')} for the fleet "${fleet}", ${maxCalls} at a time.\n`,
  )

  let isLeaving = false
  const receiveSignal = () => {
    if (isLeaving) {
      member.end()
      // From now on the platform handles signals, so the next one ends the process at once.
      for (const signal of signals) process.off(signal, receiveSignal)
      return
    }
    isLeaving = true
    process.stdout.write(
      'Takes no more calls, and ends with the last one; a second signal ends them.\n',
    )
    // Rejects when the connection has ended.
    member
      .leave()
      .then(() => connection.drain())
      .catch(() => {})
  }
  for (const signal of signals) process.on(signal, receiveSignal)

  const reason = await connection.closed()
  member.end()
  if (reason instanceof Error) throw reason
}

const command = readCommand(process.argv.slice(2))
try {
  if (typeof command === 'string') {
    process.stderr.write(`${command}\n\n${usage}\n`)
    process.exitCode = 2
  } else {
    await serve(command)
  }
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exitCode = 1
}
