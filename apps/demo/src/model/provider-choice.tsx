import { type ReactNode, useEffect, useState } from 'react'
import { canRunModels } from './local/can-run-models.ts'
import { localModel } from './local/local-model.ts'
import type { Provider } from './providers.ts'

interface ProviderChoiceProps {
  readonly chosen: Provider
  readonly onChoose: (provider: Provider) => void
}

interface Offer {
  readonly provider: Provider
  readonly name: string
  readonly detail: string
}

const offers: readonly Offer[] = [
  {
    provider: 'planner',
    name: 'Scripted planner',
    detail: 'Rules, not a language model. Works offline, needs no key.',
  },
  {
    provider: 'anthropic',
    name: 'Anthropic',
    detail: 'Claude, with a key of your own or through your own proxy.',
  },
  {
    provider: 'openai',
    name: 'OpenAI-compatible',
    detail: 'OpenAI, OpenRouter, or a server of your own: Ollama, LM Studio, vLLM.',
  },
]

/** The choice among the providers that this browser can use. */
export function ProviderChoice({ chosen, onChoose }: ProviderChoiceProps): ReactNode {
  const builtIn = useAnswer(askForBuiltIn)
  const runsModels = useAnswer(canRunModels)
  const shown = [
    ...offers,
    ...(builtIn === null ? [] : [builtInOffer(builtIn)]),
    ...(runsModels ? [localOffer] : []),
  ]
  return (
    <fieldset className="model-offers">
      <legend className="visually-hidden">Provider</legend>
      {shown.map((offer) => (
        <label key={offer.provider} className="model-offer">
          <input
            type="radio"
            name="provider"
            value={offer.provider}
            checked={offer.provider === chosen}
            onChange={() => onChoose(offer.provider)}
          />
          <span>
            <strong>{offer.name}</strong>
            <span className="model-offer-detail">{offer.detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

function builtInOffer(needsDownload: boolean): Offer {
  const size = needsDownload ? ' The browser downloads it first, which may take long.' : ''
  return {
    provider: 'chrome',
    name: 'Chrome’s built-in model (experimental)',
    detail: `Runs on this device, needs no key.${size}`,
  }
}

const localOffer: Offer = {
  provider: 'local',
  name: 'A model on this device (experimental)',
  detail: `${localModel.name} on the graphics card, by WebLLM. Downloads ${localModel.download}, and asks before it does. Needs no key.`,
}

/** The device's answer to a question; `null` before it comes, and if none comes. */
function useAnswer(ask: () => Promise<boolean | null>): boolean | null {
  const [answer, setAnswer] = useState<boolean | null>(null)
  useEffect(() => {
    ask().then(setAnswer, () => {})
  }, [ask])
  return answer
}

/** Whether the browser must download its built-in model first; `null` if it has none. */
async function askForBuiltIn(): Promise<boolean | null> {
  if (!('LanguageModel' in globalThis)) return null
  const { chromeAvailability } = await import('@offthread/chrome')
  const availability = await chromeAvailability()
  return availability === 'unavailable' ? null : availability !== 'available'
}
