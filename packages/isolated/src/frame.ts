import { platformClock } from '@offthread/core/host'
import { isObject } from './is-object.ts'
import type { IsolationProbe } from './isolation-error.ts'
import { probesIn } from './isolation-error.ts'
import { workerScript } from './worker-script.ts'

/** How a frame is made: from HTML, or from a page that is served. */
export type FrameRecipe = {
  /** Only tests loosen it. Default `'allow-scripts'`. */
  readonly sandbox?: string
} & ({ readonly html: string } | { readonly url: string })

export interface FrameListener {
  /** The frame has started its worker; it could reach so much of the page, and must not. */
  readonly kept: (reached: readonly IsolationProbe[]) => void
  /** The frame is of no use: close it. */
  readonly failed: (message: string) => void
}

/** A frame without an origin, with one worker in it. */
export interface Frame {
  /** Speaks with the code in the worker, once it is loaded. */
  readonly wire: InstanceType<typeof MessagePort>
  /** Gives the worker its code. Called once. */
  readonly load: (code: {
    readonly text: string
    readonly broker?: InstanceType<typeof MessagePort>
  }) => void
  /** Removes the frame, and with it whatever runs in it. */
  readonly close: () => void
}

/** Milliseconds a loaded frame has to say that its script runs. */
const answerMs = 5000

/**
 * Opens an isolated frame. Messages of windows are ignored: the frame gets two ports with the one message
 * that is posted to it, and everything else goes over them. Throws when the page may not make such a frame.
 */
export function openFrame(recipe: FrameRecipe, { kept, failed }: FrameListener): Frame {
  const element = createElement(recipe)
  const control = new MessageChannel()
  const wire = new MessageChannel()
  let cancelTimer = () => {}

  control.port1.onmessage = ({ data }) => {
    cancelTimer()
    const message: unknown = data
    if (!isObject(message)) return
    if (message['type'] === 'kept') kept(readReached(message['reached']))
    else failed(`The isolated frame failed: ${String(message['message'])}`)
  }
  const hand = () => {
    cancelTimer = platformClock.setTimer(answerMs, () => failed(silenceText))
    // The frame has no origin that could be named. What is posted is no secret.
    element.contentWindow?.postMessage(workerScript, '*', [control.port2, wire.port2])
  }
  element.addEventListener('load', hand, { once: true })
  ;(document.body ?? document.documentElement).append(element)

  return {
    wire: wire.port1,
    load: ({ text, broker }) => wire.port1.postMessage({ text, broker }, broker ? [broker] : []),
    close: () => {
      cancelTimer()
      element.removeEventListener('load', hand)
      control.port1.close()
      wire.port1.close()
      element.remove()
    },
  }
}

const silenceText =
  "The isolated frame does not answer. The page's Content-Security-Policy forbids its script, or frameUrl is not the page of isolatedFrameHtml(): serve that page as a static file, name it in frameUrl and allow it in frame-src."

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

/** What cannot be read counts as a way to the page. */
function readReached(value: unknown): readonly IsolationProbe[] {
  if (!Array.isArray(value)) return ['parent']
  const reached = probesIn(value)
  return reached.length === 0 && value.length > 0 ? ['parent'] : reached
}
