import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'

/** A foreign value as a message of the protocol; `null` if it is not one. */
export function readMessage(value: unknown): JSONRPCMessage | null {
  const read = JSONRPCMessageSchema.safeParse(value)
  return read.success ? read.data : null
}

/**
 * The id of the request that a message answers; `undefined` for a message that is no answer. All ids of ours are numbers, and
 * some servers give them back as texts.
 */
export function answeredBy(message: JSONRPCMessage): number | undefined {
  return 'result' in message || 'error' in message ? Number(message.id) : undefined
}
