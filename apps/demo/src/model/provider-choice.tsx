import { type ReactNode, useEffect, useState } from 'react'
import { obstacleToModels } from './local/can-run-models.ts'
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
  /** Why the provider cannot be chosen here. */
  readonly obstacle?: string | undefined
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

/** The choice among the providers. A provider that this browser or device cannot run shows the reason. */
export function ProviderChoice({ chosen, onChoose }: ProviderChoiceProps): ReactNode {
  const device = useOffers()
  return (
    <fieldset className="column model-offers">
      <legend className="visually-hidden">Provider</legend>
      {[...offers, ...device].map((offer) => (
        <label key={offer.provider} className="model-offer">
          <input
            type="radio"
            name="provider"
            value={offer.provider}
            checked={offer.provider === chosen}
            disabled={offer.obstacle !== undefined && offer.provider !== chosen}
            onChange={() => onChoose(offer.provider)}
          />
          <span>
            <strong>{offer.name}</strong>
            <span className="soft model-offer-detail">{offer.obstacle ?? offer.detail}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** What runs on this device, which is asked whether it does. */
function useOffers(): readonly Offer[] {
  const [offers, setOffers] = useState(() => [builtInOffer('asked'), localOffer(asking)])
  useEffect(() => {
    void Promise.all([builtInAvailability(), obstacleToModels()]).then(([built, obstacle]) =>
      setOffers([builtInOffer(built), localOffer(obstacle)]),
    )
  }, [])
  return offers
}

const asking = 'The browser is asked whether it can run it.'

function builtInOffer(availability: string): Offer {
  const size =
    availability === 'available' ? '' : ' The browser downloads it first, which may take long.'
  return {
    provider: 'chrome',
    name: 'Chrome’s built-in model (experimental)',
    detail: `Runs on this device, needs no key.${size}`,
    obstacle: obstacles.get(availability),
  }
}

const obstacles: ReadonlyMap<string, string> = new Map([
  ['asked', asking],
  ['absent', 'This browser has none. Chrome 148 or newer on a desktop has one.'],
  ['unavailable', 'The browser says that it cannot run its model on this device.'],
  [
    'not loaded',
    'A part of this page could not be loaded. Check the connection and open the menu again.',
  ],
])

async function builtInAvailability(): Promise<string> {
  if (!('LanguageModel' in globalThis)) return 'absent'
  const chrome = await import('@offthread/chrome').catch(() => undefined)
  return chrome?.chromeAvailability() ?? 'not loaded'
}

function localOffer(obstacle: string | undefined): Offer {
  return {
    provider: 'local',
    name: 'A model on this device (experimental)',
    detail: `${localModel.name} on the graphics card, by WebLLM. Downloads ${localModel.download}, and asks before it does. Needs no key.`,
    obstacle,
  }
}
