import type { ComponentProps, ReactNode } from 'react'

/** A button that submits no form. It is a small one, unless it gets another class. */
export function Button(props: ComponentProps<'button'>): ReactNode {
  return <button type="button" className="small-button" {...props} />
}
