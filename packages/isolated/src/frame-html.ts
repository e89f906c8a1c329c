import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { frameScript } from './frame-script.ts'

/** What code in the frame may do beyond plain JavaScript. */
export interface IsolatedFrameOptions {
  /** Whether it may compile WebAssembly. Default `false`. */
  readonly wasm?: boolean
}

/**
 * The page of the isolated frame, as HTML. `inIsolation` makes it by itself; a host page with a strict
 * Content-Security-Policy or with Trusted Types serves it as a static file instead and names it in `frameUrl`. Write the
 * file again with every version of this package.
 *
 * Serve it with the header `Content-Security-Policy: sandbox allow-scripts`, so that it has no origin
 * wherever it is opened.
 *
 * @example
 * ```ts
 * // node make-frame.mjs > public/offthread-frame.html
 * import { isolatedFrameHtml } from '@offthread/isolated'
 * process.stdout.write(isolatedFrameHtml())
 * ```
 */
export function isolatedFrameHtml({ wasm = false }: IsolatedFrameOptions = {}): string {
  return frameHtml(frameScript, framePolicy(frameScript, wasm))
}

/** All that the frame may do: run its one script, and code from blobs in a worker. */
export function framePolicy(script: string, wasm = false): string {
  const hash = btoa(String.fromCharCode(...sha256(utf8ToBytes(script))))
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}' blob:${wasm ? " 'wasm-unsafe-eval'" : ''}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** A frame's page with a script, under a policy. */
export function frameHtml(script: string, policy: string): string {
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>Isolated tools</title><script>${script}</script>`
}
