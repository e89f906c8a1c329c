import type { UserMessage } from '@offthread/core'
import * as Composer from '@offthread/react/composer'
import * as Message from '@offthread/react/message'
import { type ReactNode, useId } from 'react'
import { readAttachedLine } from '../files/attached-line.ts'
import { FileChip } from '../files/file-chip.tsx'
import { useSession } from '../session.ts'
import { PlainText } from '../text/long-text.tsx'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { Versions } from './versions.tsx'

/** What the user said. It can be said in other words: what came after it stays on a branch of its own. */
export function Question({ message }: { readonly message: UserMessage }): ReactNode {
  const { agent } = useSession()
  const heading = useId()
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const files = texts.flatMap((text) => readAttachedLine(text) ?? [])
  const typed = texts.filter((text) => !readAttachedLine(text)).join('\n')
  return (
    <Message.Root
      agent={agent}
      messageId={message.id}
      className="message message-user"
      aria-labelledby={heading}
    >
      <h3 className="visually-hidden" id={heading}>
        You
      </h3>
      <Typed text={typed} message={message} />
      {files.length > 0 && (
        <ul className="file-chips" aria-label="Attached files">
          {files.map(({ name, bytes }) => (
            <FileChip key={name} name={name} bytes={bytes} />
          ))}
        </ul>
      )}
      <div className="message-actions">
        <Versions />
        <Message.Copy
          className="action-button"
          aria-label="Copy the question"
          title="Copy"
          text={() => typed}
        >
          <CopyIcon />
        </Message.Copy>
        <Message.Edit className="action-button" aria-label="Edit the question" title="Edit">
          <Icon name="pen" />
        </Message.Edit>
      </div>
    </Message.Root>
  )
}

interface TypedProps {
  readonly text: string
  readonly message: UserMessage
}

function Typed({ text, message }: TypedProps): ReactNode {
  const { isEditing } = Message.useMessagePart()
  if (!isEditing) return text && <PlainText className="bubble" text={text} name="question" />
  const isFile = (part: UserMessage['content'][number]): boolean =>
    part.type !== 'text' || readAttachedLine(part.text) !== undefined
  return (
    <Message.Editor
      className="editor"
      aria-label="Edit the question"
      defaultText={text}
      toInput={(edited) => [{ type: 'text', text: edited }, ...message.content.filter(isFile)]}
    >
      <Composer.Input className="editor-field" aria-label="The question in other words" />
      <div className="editor-actions">
        <Message.EditCancel className="small-button">Cancel</Message.EditCancel>
        <Composer.Send className="small-button strong-button">Ask again</Composer.Send>
      </div>
    </Message.Editor>
  )
}
