import type { Agent, Part, UserMessage } from '@offthread/core'
import * as Composer from '@offthread/react/composer'
import * as Message from '@offthread/react/message'
import { type MouseEvent, type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { fitsField, withText } from '../text/fits-field.ts'
import { PlainText } from '../text/long-text.tsx'
import { textOfParts } from '../text/text-of-parts.ts'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { Versions } from './versions.tsx'

interface QuestionProps {
  readonly agent: Agent
  readonly message: UserMessage
  /** Whether a part came with the text, and stays when the text is edited. Default: every part that is no text. */
  readonly isAttached?: (part: Part) => boolean
  /** Shows what came with the text. */
  readonly children?: ReactNode
}

/** A message of the user. It can be edited: what came after it stays on a branch of its own. */
export function Question(props: QuestionProps): ReactNode {
  const { agent, message, isAttached = isNoText, children } = props
  const heading = useId()
  const typed = textOfParts(message.content.filter((part) => !isAttached(part)))
  return (
    <Message.Root
      agent={agent}
      messageId={message.id}
      className="message message-user"
      aria-labelledby={heading}
      // Alt + ↑ and Alt + ↓ move the focus here.
      tabIndex={-1}
    >
      <h3 className="visually-hidden" id={heading}>
        You
      </h3>
      <Typed text={typed} attached={message.content.filter(isAttached)} />
      {children}
      <div className="row message-actions">
        <Versions />
        <Message.Copy
          className="action-button"
          aria-label="Copy the question"
          title="Copy"
          text={() => typed}
        >
          <CopyIcon />
        </Message.Copy>
        <Message.Edit
          className="action-button edit-button"
          aria-label="Edit the question"
          title="Edit"
          {...(!fitsField(typed) && tooLong)}
        >
          <Icon name="pen" />
        </Message.Edit>
      </div>
    </Message.Root>
  )
}

const tooLong = {
  'aria-disabled': true,
  title: 'Too long to edit',
  onClick: (event: MouseEvent) => event.preventDefault(),
}

function isNoText({ type }: Part): boolean {
  return type !== 'text'
}

interface TypedProps {
  readonly text: string
  readonly attached: readonly Part[]
}

function Typed({ text, attached }: TypedProps): ReactNode {
  const { isEditing } = Message.useMessagePart()
  const [isRefused, setRefused] = useState(false)
  // What no field can hold would hold the page up.
  const check = (event: SyntheticEvent<HTMLTextAreaElement>, data: DataTransfer): void => {
    const fits = fitsField(withText(event.currentTarget, data.getData('text/plain')))
    if (!fits) event.preventDefault()
    setRefused(!fits)
  }
  if (!isEditing) return text && <PlainText className="bubble" text={text} name="question" />
  return (
    <Message.Editor
      className="column editor"
      aria-label="Edit the question"
      defaultText={text}
      toInput={(edited) => [{ type: 'text', text: edited }, ...attached]}
    >
      <Composer.Input
        className="editor-field"
        aria-label="The question in other words"
        onPaste={(event) => check(event, event.clipboardData)}
        onDrop={(event) => check(event, event.dataTransfer)}
      />
      <p className="small" role="status">
        {isRefused && 'That is too long for this field. A new message takes it as a file.'}
      </p>
      <div className="editor-actions">
        <Message.EditCancel className="small-button">Cancel</Message.EditCancel>
        <Composer.Send className="small-button strong-button">Ask again</Composer.Send>
      </div>
    </Message.Editor>
  )
}
