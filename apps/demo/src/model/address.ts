import type { RemoteProvider } from './providers.ts'

/** An address that a page may call, or what is wrong with it. */
export type Address =
  | { readonly address: string; readonly origin: string; readonly problem?: undefined }
  | { readonly problem: string }

/**
 * Reads what was entered as the address of a server. One on this page's own server may begin with `/`.
 *
 * @example
 * ```ts
 * readAddress('http://localhost:1234/v1/', 'openai') // { address: 'http://localhost:1234/v1', … }
 * readAddress('localhost', 'openai') // { problem: 'This is no address. …' }
 * ```
 */
export function readAddress(text: string, provider: RemoteProvider): Address {
  const entered = text.trim()
  if (entered === '') return { problem: 'Enter the address of the server.' }
  const own = entered.startsWith('/') && !entered.startsWith('//')
  const base = own ? location.origin : undefined
  const url = URL.canParse(entered, base) ? new URL(entered, base) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return { problem: 'This is no address. It begins with https:// or, on this device, http://' }
  }
  const problem = problemOf(url)
  if (problem !== undefined) return { problem }
  const path = url.pathname.replace(endpointOf[provider], '').replace(/\/+$/, '')
  return { address: `${own ? '' : url.origin}${path}` || url.origin, origin: url.origin }
}

/** The origin that an address leads to; `null` while it leads nowhere. */
export function originOf(text: string, provider: RemoteProvider): string | null {
  const read = readAddress(text, provider)
  return read.problem === undefined ? read.origin : null
}

/** What the adapters add by themselves: people copy it along. */
const endpointOf: Readonly<Record<RemoteProvider, RegExp>> = {
  anthropic: /\/v1(\/messages)?\/*$/,
  openai: /\/chat\/completions\/*$/,
}

function problemOf(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') {
    return 'There is a password in this address. A key belongs into its own field.'
  }
  if (url.search !== '' || url.hash !== '') {
    return 'Leave out what follows the ? or # of the address. A key belongs into its own field.'
  }
  if (url.protocol === 'http:' && url.origin !== location.origin && !isThisDevice(url.hostname)) {
    return `Without encryption this page calls only localhost. Give an https address for ${url.hostname}.`
  }
  return undefined
}

/** As in the page's content security policy. */
function isThisDevice(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}
