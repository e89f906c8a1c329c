import { presetOf } from '../model/providers.ts'
import type { ModelSettings } from '../model/settings.ts'
import type { Sight } from './show-files.ts'

/**
 * What the chosen model sees; `null`: texts only. Anthropic makes a longer edge 1,568 pixels and refuses more than 5 MB of
 * base64 text; a request has at most 32 MB there, and 50 at OpenAI. Half of that is left for the conversation.
 */
export function sightOf(settings: ModelSettings): Sight | null {
  switch (settings.provider) {
    case 'anthropic':
      return { images: { longEdge: 1568, bytes: 3_700_000 }, pdfBytes, request: 28_000_000 }
    case 'openai':
      return {
        images: { longEdge: 2048, bytes: 3_700_000 },
        request: 45_000_000,
        // Another server may refuse a request, and with it all that follow, for a part that it does not support.
        ...(presetOf(settings.openai.address)?.readsPdfs && { pdfBytes }),
      }
    default:
      return null
  }
}

const pdfBytes = 20_000_000
