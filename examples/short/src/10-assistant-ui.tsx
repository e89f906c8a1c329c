// A thread of assistant-ui over an agent: its runtime is the agent, its parts are yours or its own.
import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
  useExternalStoreRuntime,
} from '@assistant-ui/react'
import { useThreadStore } from '@offthread/adapters/assistant-ui'
import { createAgent } from '@offthread/core'
import { say, scriptedModel } from '@offthread/core/testing'
import type { ReactNode } from 'react'

const agent = createAgent({ model: scriptedModel([say('A thread of yours.')], [say('Again.')]) })

const Message = (): ReactNode => (
  <MessagePrimitive.Root>
    <MessagePrimitive.Parts />
  </MessagePrimitive.Root>
)

export function Example(): ReactNode {
  const runtime = useExternalStoreRuntime(useThreadStore(agent))
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Messages components={{ Message }} />
        <ComposerPrimitive.Root>
          <ComposerPrimitive.Input aria-label="Message" />
          <ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
          <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
        </ComposerPrimitive.Root>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  )
}
