import type { Agent } from '@offthread/core'
import { useAgentSelector } from '@offthread/react'
import * as Parts from '@offthread/react/composer'
import {
  type KeyboardEvent as KeyEvent,
  type ReactNode,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
} from 'react'
import { fitsField, withText } from '../text/fits-field.ts'
import { Icon } from '../ui/icon.tsx'
import { isTaken } from '../ui/key-events.ts'
import { composerId, focusComposer, hasTouchKeyboard } from './focus-composer.ts'
import { QueueChip, type QueueChipProps } from './queue-chip.tsx'
import { RunStatusLine } from './run-status-line.tsx'

interface ComposerProps
  extends Pick<Parts.RootProps, 'agent' | 'hasMore' | 'onSend'>,
    Pick<QueueChipProps, 'onSendNow' | 'wordsOf'> {
  readonly placeholder: string
  /** Called for ↑ in the empty field. Returns whether it did something. */
  readonly onArrowUp?: (() => boolean) | undefined
  /** A further part of the hint. */
  readonly hint?: string
  /** Takes files that are chosen or pasted. Without it none can be attached. */
  readonly onFiles?: ((files: Iterable<File>) => void) | undefined
  /** What goes with the text, such as files: shown above the field. */
  readonly children?: ReactNode
}

/** The field for a message. During a run, what is written waits in a queue. */
export function Composer(props: ComposerProps): ReactNode {
  const { agent, placeholder, onFiles, onSendNow, wordsOf, children, ...others } = props
  const { onArrowUp, hint = '', ...sending } = others
  useStopKey(agent)
  return (
    <Parts.Root agent={agent} className="composer" aria-label="Message" {...sending}>
      <Parts.Queue className="queue">
        {(message) => (
          <QueueChip agent={agent} message={message} onSendNow={onSendNow} wordsOf={wordsOf} />
        )}
      </Parts.Queue>
      {children}
      <Field placeholder={placeholder} onFiles={onFiles} onArrowUp={onArrowUp} />
      <div className="row composer-actions">
        {onFiles && (
          <Parts.Attach
            className="icon-button"
            aria-label="Attach files"
            title="Attach files"
            onFiles={onFiles}
          >
            <Icon name="clip" />
          </Parts.Attach>
        )}
        <Hint agent={agent} more={hint} />
        <Parts.Stop className="stop-button" aria-label="Stop" title="Stop (Esc)">
          <Icon name="square" />
          <span>Stop</span>
        </Parts.Stop>
        <SendButton />
      </div>
    </Parts.Root>
  )
}

function Field({
  placeholder,
  onFiles,
  onArrowUp,
}: Pick<ComposerProps, 'placeholder' | 'onFiles' | 'onArrowUp'>): ReactNode {
  const { text } = Parts.useComposer()
  useEffect(() => {
    if (!hasTouchKeyboard()) focusComposer()
  }, [])
  useLayoutEffect(() => fitHeight(text), [text])
  const onKeyDown = (event: KeyEvent): void => {
    const { altKey, ctrlKey, metaKey, shiftKey } = event
    const isPlain = !(altKey || ctrlKey || metaKey || shiftKey || event.nativeEvent.isComposing)
    if (event.key === 'ArrowUp' && isPlain && text === '' && onArrowUp?.()) event.preventDefault()
  }
  return (
    <Parts.Input
      id={composerId}
      className="composer-field"
      aria-label="Message"
      placeholder={placeholder}
      onPaste={(event) => onFiles?.(filesIn(event, event.clipboardData))}
      onDrop={(event) => {
        // The page takes files wherever they are dropped.
        if (event.dataTransfer.files.length === 0) onFiles?.(filesIn(event, event.dataTransfer))
      }}
      onKeyDown={onKeyDown}
    />
  )
}

/** What is pasted or dropped as files: a text that the field cannot hold, with what is in it, is one. */
function filesIn(event: SyntheticEvent<HTMLTextAreaElement>, data: DataTransfer): Iterable<File> {
  const { files } = data
  const text = data.getData('text/plain')
  if (files.length > 0 || text === '' || fitsField(withText(event.currentTarget, text)))
    return files
  event.preventDefault()
  return [new File([text], 'pasted.txt', { type: 'text/plain' })]
}

/** Fits the height of the field to its text, in browsers without `field-sizing`. */
function fitHeight(text: string): void {
  const field = document.getElementById(composerId)
  if (!field || globalThis.CSS?.supports?.('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  if (text !== '') field.style.blockSize = `${field.scrollHeight}px`
}

/** How to send a message, or during a run what the agent is doing. */
function Hint({ agent, more }: { readonly agent: Agent; readonly more: string }): ReactNode {
  if (Parts.useComposer().isActive) return <RunStatusLine agent={agent} />
  return (
    <span className="cut composer-hint">
      Enter sends<span className="composer-hint-more">, Shift + Enter starts a new line</span>
      <span className="composer-hint-most">{more}</span>
    </span>
  )
}

/** While a run is active, Escape stops it, wherever the focus is. */
function useStopKey(agent: Agent): void {
  const isActive = useAgentSelector(agent, (state) => state.isActive)
  useEffect(() => {
    if (!isActive) return
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !isTaken(event)) agent.abort()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [agent, isActive])
}

function SendButton(): ReactNode {
  const { isActive } = Parts.useComposer()
  const word = isActive ? 'Queue' : 'Send'
  return (
    <Parts.Send
      className="send-button"
      aria-label={word}
      title={isActive ? 'Queue (Enter), or say it now (Ctrl + Enter)' : 'Send (Enter)'}
    >
      <Icon name={isActive ? 'queue' : 'up'} />
      <span>{word}</span>
    </Parts.Send>
  )
}
