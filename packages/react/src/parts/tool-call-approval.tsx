/** @jsxImportSource react */
import { forwardRef } from 'react'
import type { ApprovalAnswer } from '../answer-approval.ts'
import { useFocusAfter } from './focus.ts'
import { useJoinedRef } from './joined-ref.ts'
import {
  after,
  Box,
  type BoxPart,
  type BoxProps,
  Button,
  type ButtonPart,
  type ButtonProps,
} from './part.tsx'
import { useRoot } from './root-context.ts'
import { shownName } from './shown-text.ts'
import { toolCallRoot, useCanAct } from './tool-call-root.ts'

/**
 * The question whether the call may run. It is rendered while the call waits for an approval; afterwards the focus goes
 * to the header.
 */
export const Approval: BoxPart = forwardRef<HTMLDivElement, BoxProps>(
  function Approval(props, ref) {
    return useRoot(toolCallRoot).call.approval ? <OpenApproval {...props} ref={ref} /> : null
  },
)

const OpenApproval: BoxPart = forwardRef<HTMLDivElement, BoxProps>(
  function OpenApproval(props, ref) {
    const { call, header } = useRoot(toolCallRoot)
    const own = useFocusAfter<HTMLDivElement>(() => header.current?.focus())
    const joined = useJoinedRef(ref, own)
    const state = { role: 'group', 'aria-label': `Allow ${shownName(call.label)}?` }
    return <Box {...state} {...props} ref={joined} />
  },
)

/** Allows the call, with exactly the arguments that are shown. */
export const Approve: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function Approve(props, ref) {
    return <Answer {...props} ref={ref} answer={{ approved: true }} />
  },
)

/** The props of the button that denies. */
export interface DenyProps extends ButtonProps {
  /** Why the call is denied. The model reads it. */
  readonly reason?: string
}

/** Denies the call: it does not run, and the model reads that it was denied. */
export const Deny: ButtonPart<DenyProps> = forwardRef<HTMLButtonElement, DenyProps>(function Deny(
  { reason, ...props },
  ref,
) {
  const answer = { approved: false, ...(reason !== undefined && { reason }) } as const
  return <Answer {...props} ref={ref} answer={answer} />
})

interface AnswerProps extends ButtonProps {
  readonly answer: ApprovalAnswer
}

const Answer: ButtonPart<AnswerProps> = forwardRef<HTMLButtonElement, AnswerProps>(function Answer(
  { answer, onClick, ...props },
  ref,
) {
  const { call } = useRoot(toolCallRoot)
  const canAct = useCanAct()
  const give = (): void => {
    if (canAct) call.addToolApprovalResponse(answer)
  }
  return <Button aria-disabled={!canAct} {...props} ref={ref} onClick={after(onClick, give)} />
})
