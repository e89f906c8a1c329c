import { type ReactNode, useId } from 'react'
import type { FormProblem } from './check-form.ts'
import { KeyInput } from './key-input.tsx'
import { presetOf, presets, type RemoteProvider, suggestedModels } from './providers.ts'
import type { RemoteSettings } from './settings.ts'
import { FieldWords, TextInput } from './text-input.tsx'
import type { KeyField } from './use-key-field.ts'

export type Changes = Partial<Pick<RemoteSettings, 'address' | 'model'>>

interface RemoteFieldsProps {
  readonly provider: RemoteProvider
  readonly settings: RemoteSettings
  readonly keyField: KeyField
  readonly problem: FormProblem | undefined
  readonly onChange: (changes: Changes) => void
  readonly onKeyTyped: () => void
}

export function RemoteFields(props: RemoteFieldsProps): ReactNode {
  const { provider, settings, keyField, problem, onChange, onKeyTyped } = props
  const { address, model } = settings
  const models = useId()
  const problemOf = (field: FormProblem['field']) =>
    problem?.field === field ? problem.text : undefined
  return (
    <div className="model-fields">
      {provider === 'openai' && (
        <PresetSelect
          address={address}
          onChoose={(preset) => {
            onChange(preset)
            keyField.fits(preset.address)
          }}
        />
      )}
      <TextInput
        label="Address"
        inputMode="url"
        value={address}
        hint={addressHints[provider]}
        problem={problemOf('address')}
        onChange={(text) => onChange({ address: text })}
        onBlur={() => keyField.fits(address)}
      />
      <TextInput
        label="Model"
        value={model}
        list={models}
        placeholder={presetOf(address)?.name === 'OpenRouter' ? 'maker/model' : undefined}
        problem={problemOf('model')}
        onChange={(text) => onChange({ model: text })}
      />
      <datalist id={models}>
        {suggestedModels[provider].map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <KeyInput
        provider={provider}
        address={address}
        keyField={keyField}
        problem={problemOf('key')}
        onTyped={onKeyTyped}
      />
      <p className="soft model-privacy">
        Your questions and the results of tools are sent to this address. Your files stay in this
        browser.
      </p>
    </div>
  )
}

interface PresetSelectProps {
  readonly address: string
  readonly onChoose: (filled: { readonly address: string; readonly model: string }) => void
}

/** Fills in the address and model of a known server. */
function PresetSelect({ address, onChoose }: PresetSelectProps): ReactNode {
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

const addressHints: Readonly<Record<RemoteProvider, string>> = {
  anthropic: 'The address of Anthropic or of your proxy, without /v1.',
  openai: 'It usually ends with /v1.',
}
