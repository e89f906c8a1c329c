import type { Agent, AgentState } from '@offthread/core'
import { type RefObject, useCallback, useRef, useState } from 'react'
import { sendMessage } from '../send-message.ts'
import { useAgentSelector } from '../use-agent-selector.ts'

/** How a message is delivered: it starts a run, waits for the end of the active one, or steers it. */
export type Delivery = 'send' | 'queue' | 'steer'

/** What a composer has of the message that is being written. */
export interface ComposerState {
  /** The text that was typed. */
  readonly text: string
  /** Replaces the text. */
  readonly setText: (text: string) => void
  /** A run is active: a message would be queued. */
  readonly isActive: boolean
  /** Whether there is nothing to send. */
  readonly isEmpty: boolean
  /** Sends what was typed. An empty message stays, and so does one that the agent would refuse. */
  readonly submit: (delivery?: Delivery) => void
  /** Puts the focus into the field. */
  readonly focus: () => void
}

export interface ComposerContext extends ComposerState {
  readonly agent: Agent
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** Whether a message would go nowhere: there is none, or the agent takes none, as in a session that is only shown. */
  readonly isIdle: boolean
}

/** `false`: the message was not sent. */
export type SendResult = boolean | undefined

interface Draft {
  readonly agent: Agent
  readonly defaultText: string
  readonly hasMore: boolean
  readonly onSend:
    | ((text: string, delivery: Delivery) => SendResult | Promise<SendResult>)
    | undefined
}

/** The message that a person writes, until it is sent. */
export function useDraft({ agent, defaultText, hasMore, onSend }: Draft): ComposerContext {
  const isActive = useAgentSelector(agent, activeIn)
  const [text, setText] = useState(defaultText)
  const field = useRef<HTMLTextAreaElement>(null)
  const canSend = useAgentSelector(agent, canSendIn)
  const isEmpty = text.trim() === '' && !hasMore
  const isIdle = isEmpty || !(canSend || onSend)
  const sending = useRef<string>(undefined)
  const focus = useCallback(() => field.current?.focus(), [])
  const submit = (delivery: Delivery = isActive ? 'queue' : 'send'): void => {
    // Otherwise a second Enter, while attached files are being read, would send it twice.
    if (isIdle || text === sending.current) return
    const done = (isSent: SendResult): void => {
      if (isSent === false) return
      // Text that was typed meanwhile belongs to the next message.
      setText((now) => (now === text ? '' : now))
    }
    const sent = onSend ? onSend(text, delivery) : deliver(agent, text, delivery)
    if (sent instanceof Promise) {
      sending.current = text
      void sent.then(done).finally(() => {
        if (sending.current === text) sending.current = undefined
      })
    } else done(sent)
    focus()
  }
  return { agent, text, setText, isActive, isEmpty, isIdle, submit, focus, field }
}

function activeIn({ isActive }: AgentState): boolean {
  return isActive
}

/** Whether the agent takes commands. */
export function canSendIn({ can }: AgentState): boolean {
  return can.send
}

function deliver(agent: Agent, text: string, delivery: Delivery): undefined {
  if (delivery === 'steer') agent.steer(text)
  // The state shows how the run ended.
  else void sendMessage(agent, text)
}
