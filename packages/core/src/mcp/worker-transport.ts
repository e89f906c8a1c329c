import { createDeferred, type Deferred } from '../internal/deferred.ts'
import { isObject } from '../internal/json.ts'
import type { WorkerLike } from '../tools/page/worker-boot.ts'
import { readMessage } from './json-rpc.ts'
import { isMcpProblem, McpServerError } from './mcp-server-error.ts'
import type { EndableTransport, Session } from './transport.ts'
import { readSession, type ToConnection, takenEvery } from './worker-messages.ts'

/** A transport whose connection is in a worker that called `serveMcp`. Closing it ends the worker, whatever it does. */
export function createWorkerTransport(worker: WorkerLike, session: Session): EndableTransport {
  const asked = createAsked()
  let isOver = false
  let taken = 0
  const post = (message: ToConnection): void => worker.postMessage(message, [])
  const ask = (make: (n: number) => ToConnection): Promise<void> => asked.add((n) => post(make(n)))
  const end = (error: Error): void => {
    if (isOver) return
    isOver = true
    worker.terminate()
    asked.failAll(error)
    transport.onclose?.()
  }
  const transport: EndableTransport = {
    sessionId: session.id,
    start: () => ask((n) => ({ type: 'start', n, session: { ...session } })),
    send: (message) => ask((n) => ({ type: 'send', n, message })),
    setProtocolVersion: (version) => post({ type: 'version', version }),
    terminateSession: () => ask((n) => ({ type: 'end', n })),
    close: () => {
      end(new McpServerError('closed', 'The worker of the MCP connection was ended.'))
      return Promise.resolve()
    },
  }

  worker.addEventListener('message', (event) => {
    const data: unknown = 'data' in event ? event.data : undefined
    if (isOver || !isObject(data)) return
    if (data['type'] === 'message') {
      taken += 1
      if (taken % takenEvery === 0) post({ type: 'taken', count: taken })
      const message = readMessage(data['message'])
      if (message) transport.onmessage?.(message)
    } else if (data['type'] === 'done') {
      Object.assign(session, readSession(data['session']))
      transport.sessionId = session.id
      asked.end(data['n'], data['problem'])
    }
  })
  for (const type of ['error', 'messageerror']) worker.addEventListener(type, () => end(broken()))
  return transport
}

/** The requests to the worker that are not done yet. */
function createAsked() {
  const waiting = new Map<unknown, Deferred<void>>()
  let count = 0
  return {
    add: (post: (n: number) => void): Promise<void> => {
      const done = createDeferred<void>()
      count += 1
      waiting.set(count, done)
      post(count)
      return done.promise
    },
    end: (n: unknown, problem: unknown): void => {
      const done = waiting.get(n)
      waiting.delete(n)
      if (isObject(problem)) done?.reject(errorOf(problem))
      else done?.resolve()
    },
    failAll: (error: Error): void => {
      for (const one of waiting.values()) one.reject(error)
      waiting.clear()
    },
  }
}

function errorOf({ kind, message }: { readonly [key: string]: unknown }): McpServerError {
  return new McpServerError(isMcpProblem(kind) ? kind : 'unreachable', String(message))
}

function broken(): McpServerError {
  return new McpServerError(
    'unreachable',
    'The worker of the MCP connection failed. Its script must load, and call serveMcp.',
  )
}
