import { useAgentSelector } from '@offthread/react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { useModels, useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { checkForm, type FormProblem } from './check-form.ts'
import { LocalFields, LocalProgress } from './local/local-fields.tsx'
import { localModel } from './local/local-model.ts'
import { ProviderChoice } from './provider-choice.tsx'
import { isRemote, type Provider, type RemoteProvider } from './providers.ts'
import { type Changes, RemoteFields } from './remote-fields.tsx'
import { useKeyField } from './use-key-field.ts'

const noKey = { hasKey: () => false, typed: () => '' }

/** The form for a provider and its address. A change takes effect when the form is submitted. */
function ModelForm(): ReactNode {
  const { models } = useSession()
  const { settings } = useModels()
  const [draft, setDraft] = useState(settings)
  const [problem, setProblem] = useState<FormProblem>()
  const form = useFocusOnProblem(problem)
  const { provider } = draft
  const remote = isRemote(provider) ? provider : null
  const keys = { anthropic: useKeyField('anthropic'), openai: useKeyField('openai') }
  const key = remote && keys[remote]
  const change = (of: RemoteProvider, changes: Changes): void => {
    setDraft({ ...draft, [of]: { ...draft[of], ...changes } })
    setProblem(undefined)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const found = checkForm(draft, key ?? noKey)
    setProblem(found)
    if (found || (remote && !key?.fits(draft[remote].address))) return
    if (provider === 'local' && models.local.getState().status !== 'ready') {
      void models.local.load().then((isReady) => isReady && take())
    } else take()
  }
  const take = (): void => {
    models.choose(draft, key?.typed() ?? '')
    models.closeMenu()
  }
  return (
    <form ref={form} className="model-form" noValidate autoComplete="off" onSubmit={submit}>
      <ProviderChoice
        chosen={provider}
        onChoose={(chosen) => {
          setDraft({ ...draft, provider: chosen })
          setProblem(undefined)
        }}
      />
      {remote && key && (
        <RemoteFields
          key={remote}
          provider={remote}
          settings={draft[remote]}
          keyField={key}
          problem={problem}
          onChange={(changes) => change(remote, changes)}
          onKeyTyped={() => setProblem(undefined)}
        />
      )}
      {provider === 'local' && <LocalFields />}
      <FormActions provider={provider} />
    </form>
  )
}

function FormActions({ provider }: { readonly provider: Provider }): ReactNode {
  const { models } = useSession()
  const { status } = useStore(models.local)
  const isLoading = provider === 'local' && status === 'loading'
  return (
    <div className="wrap model-form-actions">
      {provider === 'local' && <LocalProgress />}
      <Button onClick={isLoading ? models.local.unload : models.closeMenu}>
        {isLoading ? 'Stop loading' : 'Cancel'}
      </Button>
      <button type="submit" className="send-button" disabled={isLoading}>
        {provider === 'local' && status !== 'ready'
          ? `Download ${localModel.download} and use it`
          : 'Use this model'}
      </button>
    </div>
  )
}

function useFocusOnProblem(problem: FormProblem | undefined) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (!problem) return
    form.current?.querySelector<HTMLInputElement>('[aria-invalid="true"]')?.focus()
  }, [problem])
  return form
}

/** The model menu. Its fields are unmounted when it closes, so a typed key does not stay in the page. */
export function ModelDialog(): ReactNode {
  const { agent, models } = useSession()
  const { isMenuOpen } = useModels()
  const active = useAgentSelector(agent, ({ isActive }) => isActive)
  return (
    <Dialog title="Who answers" isOpen={isMenuOpen} onClose={models.closeMenu}>
      {active && (
        <p className="small model-waits" role="status">
          An answer is being written. A change takes effect with the next question.
        </p>
      )}
      <ModelForm />
    </Dialog>
  )
}
