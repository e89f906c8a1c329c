/** @jsxImportSource react */
import { type ComponentPropsWithoutRef, forwardRef } from 'react'
import { useAgentSelector } from '../use-agent-selector.ts'
import { canEditIn, messageRoot } from './message-root.ts'
import {
  after,
  Box,
  type BoxPart,
  type BoxProps,
  Button,
  type ButtonPart,
  type ButtonProps,
  type ElementPart,
} from './part.tsx'
import { useRoot } from './root-context.ts'

/** The versions of the message, after an edit or a `regenerate`. It is not there when there is only one. */
export const BranchPicker: BoxPart = forwardRef<HTMLDivElement, BoxProps>(
  function BranchPicker(props, ref) {
    const { branchCount } = useRoot(messageRoot).message
    return branchCount > 1 ? <Box role="group" aria-label="Versions" {...props} ref={ref} /> : null
  },
)

/** Shows the version before this one. */
export const BranchPrevious: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function BranchPrevious(props, ref) {
    return <BranchStep {...props} ref={ref} by={-1} />
  },
)

/** Shows the version after this one. */
export const BranchNext: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(
  function BranchNext(props, ref) {
    return <BranchStep {...props} ref={ref} by={1} />
  },
)

interface StepProps extends ButtonProps {
  readonly by: 1 | -1
}

const BranchStep: ButtonPart<StepProps> = forwardRef<HTMLButtonElement, StepProps>(
  function BranchStep({ by, onClick, ...props }, ref) {
    const { agent, message } = useRoot(messageRoot)
    const canEdit = useAgentSelector(agent, canEditIn)
    const { branchIndex, branchCount, selectBranch } = message
    const next = branchIndex + by
    const isOpen = canEdit && next >= 0 && next < branchCount
    const step = (): void => {
      if (isOpen) selectBranch(next)
    }
    return <Button aria-disabled={!isOpen} {...props} ref={ref} onClick={after(onClick, step)} />
  },
)

/** Which version is shown, and how many there are: `2 / 2`. */
export const BranchCount: ElementPart<
  ComponentPropsWithoutRef<'span'>,
  HTMLSpanElement
> = forwardRef(function BranchCount(props, ref) {
  const { branchIndex, branchCount } = useRoot(messageRoot).message
  return (
    <span {...props} ref={ref}>
      {branchIndex + 1} / {branchCount}
    </span>
  )
})
