import type { RemoteProvider } from './providers.ts'

/** An address that the page may call, or the reason why it may not. */
export type Address =
  | { readonly address: string; readonly origin: string; readonly problem?: undefined }
  | { readonly problem: string }

/**
 * Parses the address of a server. An address on the page's own server may start with `/`.
 *
 * @example
 * ```ts
 * readAddress('http://localhost:1234/v1/', 'openai') // { address: 'http://localhost:1234/v1', … }
 * readAddress('localhost', 'openai') // { problem: 'This is not an address. …' }
 * ```
 */
export function readAddress(text: string, provider: RemoteProvider): Address {
  const entered = text.trim()
  if (entered === '') return { problem: 'Enter the address of the server.' }
  const own = entered.startsWith('/') && !entered.startsWith('//')
  const base = own ? location.origin : undefined
  const url = URL.canParse(entered, base) ? new URL(entered, base) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return {
      problem: 'This is not an address. It must start with https:// or, on this device, http://',
    }
  }
  const problem = problemOf(url)
  if (problem !== undefined) return { problem }
  const path = url.pathname.replace(endpointOf[provider], '').replace(/\/+$/, '')
  return { address: `${own ? '' : url.origin}${path}` || url.origin, origin: url.origin }
}

/** The origin of an address; `null` if it is invalid. */
export function originOf(text: string, provider: RemoteProvider): string | null {
  const read = readAddress(text, provider)
  return read.problem === undefined ? read.origin : null
}

/** Paths that the adapters append. They are removed, because people copy them along. */
const endpointOf: Readonly<Record<RemoteProvider, RegExp>> = {
  anthropic: /\/v1(\/messages)?\/*$/,
  openai: /\/chat\/completions\/*$/,
}

/** The hosts that the page's content security policy allows without encryption. */
const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1'])

function problemOf(url: URL): string | undefined {
  if (url.username !== '' || url.password !== '') {
    return 'This address contains a password. Enter a key in its own field.'
  }
  if (url.search !== '' || url.hash !== '') {
    return 'Remove the part after ? or # from the address. Enter a key in its own field.'
  }
  if (url.protocol === 'http:' && url.origin !== location.origin && !localHosts.has(url.hostname)) {
    return `Without encryption, this page calls only localhost. Enter an https address for ${url.hostname}.`
  }
  return undefined
}
