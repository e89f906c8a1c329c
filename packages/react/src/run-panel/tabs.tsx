import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

/** A part of the panel that can be chosen. */
interface Tab<Name extends string> {
  readonly name: Name
  readonly label: string
}

interface TabsProps<Name extends string> {
  readonly tabs: readonly Tab<Name>[]
  readonly active: Name
  readonly onChange: (name: Name) => void
  readonly label: string
  readonly children: ReactNode
}

/** Tabs, and below them what the active one shows. One stop of the Tab key; ← and → choose. */
export function Tabs<Name extends string>({
  tabs,
  active,
  onChange,
  label,
  children,
}: TabsProps<Name>): ReactNode {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const index = tabs.findIndex(({ name }) => name === active) + by
    const next = tabs[(index + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.name)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} data-part="tabs" onKeyDown={onKeyDown}>
        {tabs.map(({ name, label: text }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === active}
            aria-controls={`${id}-panel`}
            tabIndex={name === active ? 0 : -1}
            data-part="tab"
            data-tab={name}
            onClick={() => onChange(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${active}`}
        data-part="tab-panel"
      >
        {children}
      </div>
    </>
  )
}
