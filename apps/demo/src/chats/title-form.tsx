import { type ReactNode, useEffect, useRef } from 'react'

interface TitleFormProps {
  readonly title: string
  /** Called with the new title; with the old one if the user cancels. */
  readonly onEnd: (title: string) => void
}

/** The field in which a chat gets another title. */
export function TitleForm({ title, onEnd }: TitleFormProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  return (
    <form
      className="field chat-title"
      onSubmit={(event) => {
        event.preventDefault()
        onEnd(field.current?.value ?? title)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Otherwise Escape would close the dialog.
        event.preventDefault()
        onEnd(title)
      }}
    >
      <input ref={field} aria-label="Title" defaultValue={title} maxLength={100} />
      <button type="submit" className="small-button">
        Save
      </button>
    </form>
  )
}
