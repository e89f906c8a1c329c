import type { ElementType, Key, ReactElement } from 'react'
import { type JSXSource, jsxDEV as reactJsxDev } from 'react/jsx-dev-runtime'
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'
import { visibleProps } from './visible-props.ts'

export { Fragment, type JSX } from 'react/jsx-runtime'

/**
 * What the compiler makes of the page's JSX. All texts of the page pass here, so no text of a model, a tool or a file
 * can reach it without `visibleText`.
 */
export function jsx(type: ElementType, props: object, key?: Key): ReactElement {
  return reactJsx(type, visibleProps(type, props), key)
}

/** As `jsx`, for an element with more than one child. */
export function jsxs(type: ElementType, props: object, key?: Key): ReactElement {
  return reactJsxs(type, visibleProps(type, props), key)
}

type DevArguments = [key: Key | undefined, isStatic: boolean, source?: JSXSource, self?: unknown]

/** As `jsx`, for development. */
export function jsxDEV(type: ElementType, props: object, ...rest: DevArguments): ReactElement {
  return reactJsxDev(type, visibleProps(type, props), ...rest)
}
