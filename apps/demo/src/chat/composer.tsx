import { useAgentSelector } from '@offthread/react'
import * as Parts from '@offthread/react/composer'
import { type ClipboardEvent, type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useStore } from 'zustand'
import type { PendingFile } from '../files/attachments.ts'
import { FileChip } from '../files/file-chip.tsx'
import { useSession } from '../session.ts'
import { Icon } from '../ui/icon.tsx'
import { composerId, focusComposer, hasTouchKeyboard } from './focus-composer.ts'
import { QueueChip } from './queue-chip.tsx'
import { RunStatusLine } from './run-status-line.tsx'
import { useAsk } from './use-ask.tsx'

/** The field for a message. During a run, what is written waits in a queue. */
export function Composer(): ReactNode {
  const { agent, attachments } = useSession()
  const files = useStore(attachments)
  const { ask, problem } = useAsk()
  useStopKey()
  const send = async (text: string, delivery: Parts.Delivery): Promise<boolean> => {
    const isSent = await ask(text, { files, delivery })
    if (isSent) attachments.clear()
    return isSent
  }
  return (
    <Parts.Root
      agent={agent}
      className="composer"
      aria-label="Message"
      hasMore={files.length > 0}
      onSend={send}
    >
      <Parts.Queue className="queue">{(message) => <QueueChip message={message} />}</Parts.Queue>
      <PendingFiles files={files} />
      {problem}
      <Field />
      <div className="composer-actions">
        <Parts.Attach
          className="icon-button"
          aria-label="Attach files"
          title="Attach files"
          onFiles={attachments.add}
        >
          <Icon name="clip" />
        </Parts.Attach>
        <Hint />
        <Parts.Stop className="stop-button" aria-label="Stop" title="Stop (Esc)">
          <Icon name="square" />
          <span>Stop</span>
        </Parts.Stop>
        <SendButton />
      </div>
    </Parts.Root>
  )
}

function Field(): ReactNode {
  const { attachments } = useSession()
  const { text } = Parts.useComposer()
  useEffect(() => {
    if (!hasTouchKeyboard()) focusComposer()
  }, [])
  useLayoutEffect(() => fitHeight(text), [text])
  const onPaste = ({ clipboardData }: ClipboardEvent): void => {
    attachments.add(clipboardData.files)
  }
  return (
    <Parts.Input
      id={composerId}
      className="composer-field"
      aria-label="Message"
      placeholder="Ask about a table, or drop a file"
      onPaste={onPaste}
    />
  )
}

/** Fits the height of the field to its text, in browsers without `field-sizing`. */
function fitHeight(text: string): void {
  const field = document.getElementById(composerId)
  if (!field || globalThis.CSS?.supports?.('field-sizing', 'content')) return
  field.style.blockSize = 'auto'
  if (text !== '') field.style.blockSize = `${field.scrollHeight}px`
}

/** How to send, or during a run what goes on. */
function Hint(): ReactNode {
  if (Parts.useComposer().isActive) return <RunStatusLine />
  return (
    <span className="composer-hint">
      Enter sends<span className="composer-hint-more">, Shift + Enter starts a new line</span>
    </span>
  )
}

/** While a run is active, Escape stops it, wherever the focus is. */
function useStopKey(): void {
  const { agent } = useSession()
  const isActive = useAgentSelector(agent, (state) => state.isActive)
  useEffect(() => {
    if (!isActive) return
    const onKeyDown = (event: KeyboardEvent): void => {
      // A component that handled the key has called preventDefault, and an input method handles its own keys.
      const isHandled = event.defaultPrevented || event.isComposing || event.keyCode === 229
      if (event.key === 'Escape' && !isHandled) agent.abort()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [agent, isActive])
}

function PendingFiles({ files }: { readonly files: readonly PendingFile[] }): ReactNode {
  const { attachments } = useSession()
  const { focus } = Parts.useComposer()
  if (files.length === 0) return null
  return (
    <ul className="file-chips" aria-label="Files to send">
      {files.map(({ name, file }) => (
        <FileChip
          key={name}
          name={name}
          bytes={file.size}
          onRemove={() => {
            attachments.remove(name)
            focus()
          }}
        />
      ))}
    </ul>
  )
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
