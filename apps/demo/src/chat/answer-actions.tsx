import type { Agent } from '@offthread/core'
import * as Parts from '@offthread/react/message'
import { memo, type ReactNode } from 'react'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Icon } from '../ui/icon.tsx'
import { textOfAnswer } from './exchanges.ts'
import { focusComposer } from './focus-composer.ts'
import { Versions } from './versions.tsx'

interface AnswerActionsProps {
  readonly agent: Agent
  readonly firstId: string
  readonly lastId: string
  /** Whether it is the answer to the last question. */
  readonly isLast: boolean
  /** Further actions on the answer. The same function each time. */
  readonly More?: (props: { readonly lastId: string }) => ReactNode
}

/** What one can do with an answer, below its last message. A regenerated answer has another first message. */
export const AnswerActions = memo(function AnswerActions(props: AnswerActionsProps): ReactNode {
  const { agent } = props
  return (
    <Parts.Root agent={agent} messageId={props.firstId} asChild>
      <fieldset className="row message-actions">
        <legend className="visually-hidden">Answer</legend>
        <Parts.Copy
          className="action-button"
          aria-label="Copy the answer"
          title="Copy"
          text={() => textOfAnswer(agent.getState().messages, props)}
        >
          <CopyIcon />
        </Parts.Copy>
        {props.isLast && (
          <Parts.Regenerate
            className="action-button"
            aria-label="Answer again"
            title="Answer again"
            onClick={focusComposer}
          >
            <Icon name="again" />
          </Parts.Regenerate>
        )}
        {props.More && <props.More lastId={props.lastId} />}
        <Versions />
      </fieldset>
    </Parts.Root>
  )
})
