import type { WorkerLike } from '@offthread/core/host'
import { isObject } from './is-object.ts'
import { type IsolationProbe, probesIn } from './isolation-error.ts'
import { setPatientTimer } from './patient-timer.ts'
import { relayScript } from './relay-script.ts'
import { type RelayLine, readRelayed } from './relayed.ts'
import { workerScript } from './worker-script.ts'

/** How a frame is made: from HTML, or from a page that is served. */
export type FrameRecipe = {
  /** The `sandbox` attribute of the frame. Only tests loosen it. Default `'allow-scripts'`. */
  readonly sandbox?: string
  /** The code that the self-test runs in the frame itself. No other frame has one. */
  readonly probe?: string
} & ({ readonly html: string } | { readonly url: string })

export interface FrameListener {
  /**
   * Called when the frame has started its worker. `reached`: the parts of the page that the frame could reach, and must
   * not.
   */
  readonly kept: (reached: readonly IsolationProbe[]) => void
  /** Called when the frame is of no use: close it. */
  readonly failed: (message: string) => void
  /** A message of the code in the worker. What `read` gives is JSON with bytes in it, and may be any value. */
  readonly message: (line: RelayLine, read: () => unknown) => void
  /** The probe has found these ways out. */
  readonly probed?: (escaped: unknown) => void
}

/** Objects that are moved instead of copied. */
type Moved = Parameters<WorkerLike['postMessage']>[1]

/** A frame without an origin, with one worker for code in it. */
export interface Frame {
  /** Posts to the code in the worker. Messages wait until the code is loaded. */
  readonly post: (line: RelayLine, message: unknown, moved?: Moved) => void
  /**
   * Gives the worker its code, and a port to the broker if it has a network. Called once. `probes`: the code is that of
   * a test, and tries ways out that no other code has.
   */
  readonly load: (code: {
    readonly text: string
    readonly network: boolean
    readonly probes?: boolean
  }) => void
  /** Removes the frame, and with it whatever runs in it. */
  readonly close: () => void
}

/** Milliseconds a frame has to load. In Firefox a frame that the page's policy forbids never loads. */
const loadMs = 6000
/** Milliseconds a loaded frame has to say that its script runs. */
const answerMs = 5000

/**
 * Opens an isolated frame. Messages of windows are ignored: the frame gets two ports with the one message
 * that is posted to it, and everything else goes over them. Throws when the page may not make such a frame.
 */
export function openFrame(recipe: FrameRecipe, listener: FrameListener): Frame {
  const { kept, failed, probed } = listener
  const element = createElement(recipe)
  const control = new MessageChannel()
  const wire = new MessageChannel()
  const fail = () => failed(silenceText)
  let cancelTimer = setPatientTimer(loadMs, fail)

  control.port1.onmessage = ({ data }) => {
    cancelTimer()
    const message: unknown = data
    if (!isObject(message)) return
    if (message['type'] === 'kept') kept(readReached(message['reached']))
    else if (message['type'] === 'probed') probed?.(message['escaped'])
    else failed(`The isolated frame failed: ${String(message['message'])}`)
  }
  // The code has no port to the page: what arrives here is text of bounded length.
  wire.port1.onmessage = ({ data }) => {
    const { line, read } = readRelayed(data) ?? { line: 'tool', read: () => undefined }
    listener.message(line, read)
  }
  let isHanded = false
  const hand = () => {
    // A frame that is moved to another place loads again, without the code.
    if (isHanded) return failed(removedText)
    isHanded = true
    cancelTimer()
    cancelTimer = setPatientTimer(answerMs, fail)
    // The target is `*` because the frame has no origin. The message is no secret.
    element.contentWindow?.postMessage(
      { relay: relayScript, tool: workerScript, probe: recipe.probe },
      '*',
      [control.port2, wire.port2],
    )
  }
  element.addEventListener('load', hand)
  // Placed beside the body, because apps replace the content of the body when they show another page.
  document.documentElement.append(element)
  // A frame that is taken out of the page ends without an event.
  const removal = new MutationObserver(() => element.isConnected || failed(removedText))
  for (const parent of [document, document.documentElement]) {
    removal.observe(parent, { childList: true })
  }

  return {
    post: (line, message, moved = []) => wire.port1.postMessage({ line, message, moved }, moved),
    load: (code) => wire.port1.postMessage(code),
    close: () => {
      cancelTimer()
      removal.disconnect()
      element.removeEventListener('load', hand)
      control.port1.close()
      wire.port1.close()
      element.remove()
    },
  }
}

const removedText =
  'The isolated frame was removed from the page or moved in it, which ends its code.'
const silenceText =
  "The isolated frame does not answer. The page's Content-Security-Policy forbids its script, or frameUrl is not the page of isolatedFrameHtml(): serve that page as a static file, name it in frameUrl and allow it in frame-src. On a page with a Cross-Origin-Embedder-Policy it needs that header, and Cross-Origin-Resource-Policy: cross-origin."

function createElement({ sandbox = 'allow-scripts', ...content }: FrameRecipe): HTMLIFrameElement {
  const element = document.createElement('iframe')
  element.setAttribute('sandbox', sandbox)
  element.setAttribute('aria-hidden', 'true')
  element.title = 'Isolated tools'
  element.referrerPolicy = 'no-referrer'
  element.inert = true
  element.tabIndex = -1
  element.style.setProperty('display', 'none', 'important')
  if ('url' in content) element.src = content.url
  else setHtml(element, content.html)
  return element
}

function setHtml(element: HTMLIFrameElement, html: string): void {
  try {
    element.srcdoc = html
  } catch (cause) {
    throw new Error(
      'The page requires Trusted Types, so its isolated frame must be a static file: serve isolatedFrameHtml() and name it in frameUrl.',
      { cause },
    )
  }
}

/** A report that cannot be read counts as an open way to the page. */
function readReached(value: unknown): readonly IsolationProbe[] {
  if (!Array.isArray(value)) return ['parent']
  const reached = probesIn(value)
  return reached.length === 0 && value.length > 0 ? ['parent'] : reached
}
