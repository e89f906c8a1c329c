import { type ComponentPropsWithoutRef, forwardRef } from 'react'

/**
 * A button that submits no form. It is a small one, unless it gets another class. The ref is passed on by hand, since an
 * app that copies it may have React 18.
 */
export const Button = forwardRef<HTMLButtonElement, ComponentPropsWithoutRef<'button'>>(
  function Button(props, ref) {
    return <button ref={ref} type="button" className="small-button" {...props} />
  },
)
