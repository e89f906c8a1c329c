import { useAgentSelector } from '@offthread/react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { useRef } from 'react'
import { useStore } from 'zustand'
import { FileChip } from '../files/file-chip.tsx'
import { isActive, useSession } from '../session.ts'
import { Icon } from '../ui/icon.tsx'
import { isComposing } from './is-composing.ts'
import { useDraft } from './use-draft.ts'
import { useStopKey } from './use-stop-key.ts'

/** Where a message is written. Writing goes on during a run; sending waits for its end. */
export function Composer(): ReactNode {
  const { agent } = useSession()
  const active = useAgentSelector(agent, isActive)
  const { field, text, files, type, submit, problem } = useDraft()
  useStopKey(active, agent.abort)
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
      <PendingFiles field={field} />
      {problem && (
        <p className="run-error" role="alert">
          {problem}
        </p>
      )}
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
          {active ? 'Esc stops the run' : 'Enter sends'}
          {!active && <span className="composer-hint-more">, Shift + Enter starts a new line</span>}
        </span>
        <SendOrStop active={active} empty={text.trim() === '' && files.length === 0} />
      </div>
    </form>
  )
}

/** Without a Shift key at hand, Enter is the only way to a new line; the button sends. */
function isTouchKeyboard(): boolean {
  return globalThis.matchMedia?.('(hover: none) and (pointer: coarse)').matches ?? false
}

interface PendingFilesProps {
  /** Gets the focus when a file is taken back with its button. */
  readonly field: RefObject<HTMLTextAreaElement | null>
}

function PendingFiles({ field }: PendingFilesProps): ReactNode {
  const { attachments } = useSession()
  const files = useStore(attachments)
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
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Attach files"
        title="Attach files"
        onClick={() => input.current?.click()}
      >
        <Icon name="clip" />
      </button>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files to attach"
        onChange={({ target }) => {
          attachments.add(target.files ?? [])
          // So that the same file can be picked again.
          target.value = ''
        }}
      />
    </>
  )
}

interface SendOrStopProps {
  readonly active: boolean
  readonly empty: boolean
}

/** One button in one place, so that the focus survives the change from Send to Stop. */
function SendOrStop({ active, empty }: SendOrStopProps): ReactNode {
  const { agent } = useSession()
  const stop = (): void => agent.abort()
  return (
    <button
      type={active ? 'button' : 'submit'}
      className="send-button"
      data-active={active}
      aria-disabled={!active && empty}
      aria-label={active ? 'Stop' : 'Send'}
      {...(active && { onClick: stop })}
    >
      <Icon name={active ? 'square' : 'up'} />
      <span>{active ? 'Stop' : 'Send'}</span>
    </button>
  )
}
