import { useAgent } from '@offthread/react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect } from 'react'
import type { PendingFile } from '../files/attachments.ts'
import { FileChip } from '../files/file-chip.tsx'
import { useSession } from '../session.ts'
import { FileButton } from '../ui/file-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useDraft } from './use-draft.ts'

/** The field for a message. During a run one can write in it, but not send. */
export function Composer(): ReactNode {
  const { agent } = useSession()
  const { isActive, stop } = useAgent(agent)
  const { field, text, files, type, submit, problem } = useDraft()
  useStopKey(isActive, stop)
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (isComposing(event.nativeEvent)) return
    if (event.key !== 'Enter' || event.shiftKey || isTouchKeyboard()) return
    event.preventDefault()
    void submit()
  }
  return (
    <form
      className="composer"
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <PendingFiles files={files} field={field} />
      {problem}
      <textarea
        ref={field}
        className="composer-field"
        aria-label="Message"
        placeholder="Ask about a table, or drop a file"
        rows={1}
        value={text}
        onChange={({ target }) => type(target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="composer-actions">
        <AttachButton />
        <span className="composer-hint">
          {isActive ? 'Esc stops the run' : 'Enter sends'}
          {!isActive && (
            <span className="composer-hint-more">, Shift + Enter starts a new line</span>
          )}
        </span>
        <SendOrStop
          isActive={isActive}
          isEmpty={text.trim() === '' && files.length === 0}
          onStop={stop}
        />
      </div>
    </form>
  )
}

/** While a run is active, Escape stops it, wherever the focus is. */
function useStopKey(active: boolean, stop: () => void): void {
  useEffect(() => {
    if (!active) return
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      // A component that handled the key has called preventDefault.
      if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event)) stop()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [active, stop])
}

/** Whether a word is being composed. The input method then handles Enter and Escape. */
function isComposing(event: globalThis.KeyboardEvent): boolean {
  // Safari ends the composition before this event; only the deprecated keyCode shows it.
  return event.isComposing || event.keyCode === 229
}

/** A touch keyboard has no Shift + Enter, so Enter starts a new line there, and the button sends. */
function isTouchKeyboard(): boolean {
  return globalThis.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false
}

interface PendingFilesProps {
  readonly files: readonly PendingFile[]
  /** Gets the focus when a file is removed with its button. */
  readonly field: RefObject<HTMLTextAreaElement | null>
}

function PendingFiles({ files, field }: PendingFilesProps): ReactNode {
  const { attachments } = useSession()
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
            field.current?.focus()
          }}
        />
      ))}
    </ul>
  )
}

function AttachButton(): ReactNode {
  const { attachments } = useSession()
  return (
    <FileButton
      className="icon-button"
      aria-label="Attach files"
      title="Attach files"
      input={{ multiple: true, 'aria-label': 'Files to attach' }}
      onFiles={attachments.add}
    >
      <Icon name="clip" />
    </FileButton>
  )
}

interface SendOrStopProps {
  readonly isActive: boolean
  readonly isEmpty: boolean
  readonly onStop: () => void
}

/** One element for both, so that it keeps the focus when Send becomes Stop. */
function SendOrStop({ isActive, isEmpty, onStop }: SendOrStopProps): ReactNode {
  return (
    <button
      type={isActive ? 'button' : 'submit'}
      className="send-button"
      data-active={isActive}
      aria-disabled={!isActive && isEmpty}
      aria-label={isActive ? 'Stop' : 'Send'}
      {...(isActive && { onClick: onStop })}
    >
      <Icon name={isActive ? 'square' : 'up'} />
      <span>{isActive ? 'Stop' : 'Send'}</span>
    </button>
  )
}
