import { Component, type ReactNode } from 'react'

interface GuardProps {
  /** Shown in place of the children if they throw. */
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Keeps an error in one part of the page from taking the whole page along. React needs a class for this. */
export class Guard extends Component<GuardProps, { readonly failed: boolean }> {
  override readonly state = { failed: false }

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
