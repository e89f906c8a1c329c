import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { redacted } from '../model/http/redacted.ts'

/** The tokens of the last requests, which a server may quote. */
export interface Secrets {
  /** Remembers the headers of a request. */
  readonly note: (headers: Headers) => void
  /** The text of a message with `[secret]` in place of each token. Short ones may be words, and stay. */
  readonly hide: (text: string) => string
  /** The message, without anything of the headers if it is an error. */
  readonly withoutIn: (message: JSONRPCMessage) => JSONRPCMessage
}

const secretNames = /auth|key|token|secret|cookie/i
/** What these say is known to all. */
const publicNames = /^(accept|content-type|last-event-id|mcp-protocol-version)$/
const shortest = 16
/** How many tokens are remembered: a server does not quote those of requests that are long over. */
const mostRemembered = 32

export function createSecrets(): Secrets {
  const tokens: string[] = []
  const sent: string[] = []
  return {
    note: (headers) => {
      for (const [name, value] of headers) {
        if (publicNames.test(name)) continue
        // A server may quote the token of "Bearer …" alone.
        const pieces = [value, ...value.split(/[\s;,=]+/)]
        for (const list of secretNames.test(name) ? [tokens, sent] : [sent]) {
          list.push(...pieces.filter((piece) => piece !== '' && !list.includes(piece)))
          list.splice(0, list.length - mostRemembered)
        }
      }
    },
    hide: (text) => {
      const forms = tokens
        .filter((secret) => secret.length >= shortest)
        // One may be the beginning of another.
        .toSorted((a, b) => b.length - a.length)
        // As it stands in JSON, and in an address.
        .flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)])
      // Most tokens have one form only, and each pass over a large message takes its time.
      return [...new Set(forms)].reduce((rest, form) => rest.replaceAll(form, '[secret]'), text)
    },
    withoutIn: (message) => {
      if (!('error' in message)) return message
      const { error } = message
      const said = redacted(error.message, { secrets: () => sent })
      return { ...message, error: { ...error, message: said } }
    },
  }
}
