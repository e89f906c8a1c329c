/** @jsxImportSource react */
import {
  cloneElement,
  type ForwardRefExoticComponent,
  forwardRef,
  isValidElement,
  type PropsWithChildren,
  type ReactElement,
  type Ref,
  type RefAttributes,
  version,
} from 'react'
import { useJoinedRef } from './joined-ref.ts'

type Props = Readonly<Record<string, unknown>>

/** Gives its properties to its one child: that is what `asChild` of a part does. */
export const Slot: ForwardRefExoticComponent<PropsWithChildren & RefAttributes<HTMLElement>> =
  forwardRef<HTMLElement, PropsWithChildren>(function Slot({ children, ...props }, ref) {
    const child: unknown = children
    if (!isValidElement<Props>(child)) {
      throw new TypeError('A part with asChild needs one element as its child.')
    }
    const joined = useJoinedRef(ref, refOf(child))
    return cloneElement(child, { ...mergeProps(props, child.props), ref: joined })
  })

// React 18 has the ref of an element outside of its props; React 19 warns when it is read there.
function refOf(child: ReactElement<Props>): Ref<HTMLElement> | undefined {
  const { ref }: { readonly type: unknown; readonly ref?: Ref<HTMLElement> } =
    Number.parseInt(version, 10) < 19 ? child : { type: child.type, ...child.props }
  return ref
}

/**
 * The child's own properties win. Handlers of both are called, the child's first; class names and styles are joined.
 */
function mergeProps(outer: Props, own: Props): Props {
  const merged: Record<string, unknown> = { ...outer, ...own }
  for (const [name, value] of Object.entries(outer)) {
    const ownValue = own[name]
    if (/^on[A-Z]/.test(name) && isHandler(value) && isHandler(ownValue)) {
      merged[name] = (event: unknown): void => {
        ownValue(event)
        value(event)
      }
    } else if (name === 'style') {
      merged[name] = { ...toObject(value), ...toObject(ownValue) }
    } else if (name === 'className') {
      merged[name] = [value, ownValue].filter(Boolean).join(' ')
    }
  }
  return merged
}

function isHandler(value: unknown): value is (event: unknown) => void {
  return typeof value === 'function'
}

function toObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
