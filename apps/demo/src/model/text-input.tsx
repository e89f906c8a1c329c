import { type ReactNode, useId } from 'react'
import { mostOfLine } from '../text/fits-field.ts'

interface TextInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onBlur?: () => void
  readonly hint?: string
  readonly problem: string | undefined
  readonly placeholder?: string | undefined
  readonly inputMode?: 'url'
  /** The id of a list of suggestions. */
  readonly list?: string
}

/** A field with its label and its hint or problem. The browser's corrections are off: it holds addresses and names. */
export function TextInput(props: TextInputProps): ReactNode {
  const { label, value, onChange, hint, problem, ...rest } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        maxLength={mostOfLine}
        {...rest}
        value={value}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-says`}
        onChange={({ target }) => onChange(target.value)}
      />
      <FieldWords id={`${id}-says`} hint={hint} problem={problem} />
    </div>
  )
}

interface FieldWordsProps {
  readonly id: string
  readonly hint: string | undefined
  readonly problem: string | undefined
}

export function FieldWords({ id, hint, problem }: FieldWordsProps): ReactNode {
  return (
    <p id={id} className={`soft ${problem === undefined ? 'field-hint' : 'field-problem'}`}>
      {problem ?? hint}
    </p>
  )
}
