import { defineToolUI, ToolCall, useAgent } from '@offthread/react'
import * as Thread from '@offthread/react/thread'
import type { ReactNode } from 'react'
import { agent } from './agent.ts'
import { ToolCard } from './offthread/cards/tool-card.tsx'
import { Answer } from './offthread/chat/answer.tsx'
import { Composer } from './offthread/chat/composer.tsx'
import { Question } from './offthread/chat/question.tsx'
import { Markdown } from './offthread/markdown/markdown.tsx'
import './offthread/styles/parts.css'
import { countPrimes } from './tools.ts'

const ui = [
  defineToolUI(countPrimes, ({ call }) => (
    <ToolCard
      agent={agent}
      call={call}
      result={call.output && <strong>{call.output.count} primes</strong>}
    />
  )),
  defineToolUI('*', ({ call }) => <ToolCard agent={agent} call={call} />),
]

export function Chat(): ReactNode {
  const { messages } = useAgent(agent)
  return (
    <Thread.Root agent={agent}>
      <Thread.Viewport contentClassName="conversation-column">
        {messages.map((message) => {
          if (message.role === 'user') {
            return <Question key={message.id} agent={agent} message={message} />
          }
          return (
            message.role === 'assistant' && (
              <Answer
                key={message.id}
                agent={agent}
                message={message}
                name="Agent"
                renderText={renderText}
                renderCard={renderCard}
              />
            )
          )
        })}
      </Thread.Viewport>
      <Composer agent={agent} placeholder="Ask" />
    </Thread.Root>
  )
}

function renderText(text: string, streaming: boolean): ReactNode {
  return <Markdown text={text} streaming={streaming} />
}

function renderCard(toolCallId: string): ReactNode {
  return <ToolCall agent={agent} toolCallId={toolCallId} ui={ui} />
}
