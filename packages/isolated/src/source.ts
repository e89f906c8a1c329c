import { messageOf } from './message-of.ts'

/**
 * Where the code of isolated tools comes from: one JavaScript file that imports nothing, as text or by its address. The
 * page reads the address, so it needs no more rights than any file of the page.
 */
export type IsolatedSource =
  | { readonly text: string | (() => Promise<string>) }
  | { readonly url: string | URL }

/** The text of the code, read again for each call. Rejects with an `Error` that says what is wrong with the source. */
export async function readSource(source: IsolatedSource): Promise<string> {
  if ('text' in source) return typeof source.text === 'string' ? source.text : source.text()
  const at = `The isolated script at ${String(source.url)}`
  const response = await fetch(source.url).catch((error: unknown) => {
    throw new Error(`${at} could not be loaded: ${messageOf(error)}`)
  })
  if (!response.ok) throw new Error(`${at} could not be loaded: status ${response.status}.`)
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('text/html'))
    throw new Error(`${at} is no script but a page: check its address.`)
  return response.text()
}
