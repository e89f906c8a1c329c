import type { Provider } from '../model/providers.ts'
import type { Sight } from './show-files.ts'

/**
 * What the models of a provider see. Anthropic makes a longer edge 1,568 pixels and refuses more than 5 MB of base64 text;
 * a request there has at most 32 MB. Servers that speak as OpenAI does may not know PDFs.
 */
export const sights: Readonly<Record<Provider, Sight | null>> = {
  anthropic: { images: { longEdge: 1568, bytes: 3_700_000 }, pdfBytes: 20_000_000 },
  openai: { images: { longEdge: 2048, bytes: 3_700_000 } },
  chrome: null,
  planner: null,
}
