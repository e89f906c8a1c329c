/** @jsxImportSource react */
import {
  type ComponentPropsWithoutRef,
  type ForwardRefExoticComponent,
  forwardRef,
  type RefAttributes,
  type SyntheticEvent,
} from 'react'
import { Slot } from './slot.tsx'

/** A prop of every part. */
export interface AsChild {
  /** The part is its one child, which gets the part's properties: `<Send asChild><MyButton /></Send>`. */
  readonly asChild?: boolean
}

/** A part that renders an element and takes a ref to it. */
export type ElementPart<Props, Element extends HTMLElement> = ForwardRefExoticComponent<
  Props & RefAttributes<Element>
>

/** A part that is a button. */
export type ButtonPart<Props = ButtonProps> = ElementPart<Props, HTMLButtonElement>

/** The props of a part that is a button. */
export interface ButtonProps extends ComponentPropsWithoutRef<'button'>, AsChild {}

/** A part that is a box. */
export type BoxPart<Props = BoxProps> = ElementPart<Props, HTMLDivElement>

/** The props of a part that is a box. */
export interface BoxProps extends ComponentPropsWithoutRef<'div'>, AsChild {}

export const Button: ButtonPart = forwardRef<HTMLButtonElement, ButtonProps>(function Button(
  { asChild, ...props },
  ref,
) {
  return asChild ? <Slot {...props} ref={ref} /> : <button type="button" {...props} ref={ref} />
})

export const Box: BoxPart = forwardRef<HTMLDivElement, BoxProps>(function Box(
  { asChild, ...props },
  ref,
) {
  return asChild ? <Slot {...props} ref={ref} /> : <div {...props} ref={ref} />
})

/** A handler of a part: the app's handler comes first, and `preventDefault()` there keeps the part from acting. */
export function after<Event extends SyntheticEvent>(
  handler: ((event: Event) => void) | undefined,
  act: (event: Event) => void,
): (event: Event) => void {
  return (event) => {
    handler?.(event)
    if (!event.defaultPrevented) act(event)
  }
}
