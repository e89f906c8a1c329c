import type { ReactNode } from 'react'
import { useId } from 'react'
import { presetOf, presets } from './providers.ts'
import { FieldWords } from './text-input.tsx'

interface PresetSelectProps {
  readonly address: string
  readonly onChoose: (filled: { readonly address: string; readonly model: string }) => void
}

/** Fills in what is known about a server. */
export function PresetSelect({ address, onChoose }: PresetSelectProps): ReactNode {
  const id = useId()
  const chosen = presetOf(address)
  return (
    <div className="field">
      <label htmlFor={id}>Server</label>
      <select
        id={id}
        value={chosen?.name ?? ''}
        aria-describedby={`${id}-says`}
        onChange={({ target }) => {
          const { address = '', model = '' } =
            presets.find(({ name }) => name === target.value) ?? {}
          onChoose({ address, model })
        }}
      >
        {presets.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
        <option value="">Another server</option>
      </select>
      <FieldWords id={`${id}-says`} hint={chosen?.hint} problem={undefined} />
    </div>
  )
}
