import { type ReactNode, useId } from 'react'
import { useModels } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { originOf } from './address.ts'
import { mostOfKeyField } from './check-form.ts'
import { needsKey, type RemoteProvider } from './providers.ts'
import { FieldWords } from './text-input.tsx'
import type { KeyField } from './use-key-field.ts'

interface KeyInputProps {
  readonly provider: RemoteProvider
  readonly address: string
  readonly keyField: KeyField
  readonly problem: string | undefined
  readonly onTyped: () => void
}

/** The field for a key. It is uncontrolled, because React writes controlled values into the document's attributes. */
export function KeyInput({
  provider,
  address,
  keyField,
  problem,
  onTyped,
}: KeyInputProps): ReactNode {
  const kept = useModels().keyOrigins[provider]
  const id = useId()
  const isOptional = !needsKey(originOf(address, provider) ?? '')
  return (
    <div className="field">
      <label htmlFor={id}>{isOptional ? 'Key (if the server needs one)' : 'Key'}</label>
      <div className="key-row">
        <input
          ref={keyField.field}
          id={id}
          type="password"
          autoComplete="off"
          maxLength={mostOfKeyField}
          spellCheck={false}
          placeholder={kept === null ? undefined : 'Kept. Enter another to replace it'}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-says ${id}-notice`}
          onChange={() => {
            keyField.noteTyping(address)
            onTyped()
          }}
        />
        <Button onClick={keyField.clear}>Clear key</Button>
      </div>
      <FieldWords id={`${id}-says`} hint={hintFor(kept)} problem={problem} />
      <p id={`${id}-notice`} className="soft key-notice" role="status">
        {keyField.notice}
      </p>
    </div>
  )
}

function hintFor(kept: string | null): string {
  const fate =
    'It stays in this page’s memory until you reload, and goes only to the address above.'
  return kept === null ? fate : `A key for ${kept} is kept. ${fate}`
}
