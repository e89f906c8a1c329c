import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isObject } from '../internal/json.ts'

/** Whether a value has what a client of the SDK needs of a transport. */
export function isTransport(value: unknown): value is Transport {
  return (
    isObject(value) && typeof value['start'] === 'function' && typeof value['send'] === 'function'
  )
}
