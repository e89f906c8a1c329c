import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'

/** A foreign value as a message of the protocol; `null` if it is not one. */
export function readMessage(value: unknown): JSONRPCMessage | null {
  const read = JSONRPCMessageSchema.safeParse(value)
  return read.success ? read.data : null
}

/** The id of the request that a message answers; `undefined` for a message that is no answer. */
export function answeredBy(message: JSONRPCMessage): string | number | undefined {
  return 'result' in message || 'error' in message ? message.id : undefined
}
