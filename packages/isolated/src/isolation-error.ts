/** What is tried in the isolated place before any tool's code is loaded, and must not succeed. */
export const isolationProbes = [
  'fetch',
  'xhr',
  'websocket',
  'eventsource',
  'beacon',
  'import',
  'script',
  'style',
  'font',
  'image',
  'media',
  'frame',
  'prefetch',
  'worker',
  'webrtc',
  'indexedDB',
  'opfs',
  'caches',
  'localStorage',
  'cookies',
  'broadcastChannel',
  'parent',
  'top',
] as const

/**
 * One way out of the isolated place. `worker` is what starts workers inside the worker; `parent` and `top` are the page, as
 * the frame around the worker sees it; a storage is a way out if it holds what the page has put there.
 */
export type IsolationProbe = (typeof isolationProbes)[number]

/** The names that are ways out, each once; other values are left out. */
export function probesIn(names: readonly unknown[]): readonly IsolationProbe[] {
  return isolationProbes.filter((probe) => names.includes(probe))
}

/**
 * The isolated place does not isolate, so nothing is run there: the self-test found a way out. The cause is a browser
 * that does not keep the rules, or a `frameUrl` that is not the page of `isolatedFrameHtml`.
 */
export class IsolationError extends Error {
  override readonly name = 'IsolationError'
  /** The ways that were open. */
  readonly escaped: readonly IsolationProbe[]

  constructor(escaped: readonly IsolationProbe[]) {
    super(
      `The isolated place lets out: ${escaped.join(', ')}. No code is run there. Make the frame with isolatedFrameHtml(), and leave its Content-Security-Policy and its sandbox as they are.`,
    )
    this.escaped = escaped
  }
}
