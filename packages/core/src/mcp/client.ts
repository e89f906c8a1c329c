import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { type ClientRequest, type Result, ResultSchema } from '@modelcontextprotocol/sdk/types.js'

/** The SDK's client, loaded with the first connection. */
export function createClient(): Client {
  return new Client({ name: 'offthread', version: '0.1.0' }, { capabilities: {} })
}

/**
 * Sends a request, and takes its result in any form: the SDK's own `listTools` and `callTool` refuse a whole list for
 * one bad entry, and compile schemas by `eval`.
 */
export function askClient(
  client: Client,
  request: ClientRequest,
  options: RequestOptions,
): Promise<Result> {
  return client.request(request, ResultSchema, options)
}
