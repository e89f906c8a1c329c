import type { Target } from './failures.ts'

/** A text of a server without the key material that it quotes: what was sent, and whatever looks like it. */
export function redacted(text: string, { secrets }: Pick<Target, 'secrets'>): string {
  return (
    secrets()
      .filter((secret) => secret.length >= 6)
      // As it is, and as an address has it.
      .flatMap((secret) => [secret, encodeURIComponent(secret)])
      .toSorted((a, b) => b.length - a.length)
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
      .replace(/\b(sk-|ya29\.|eyJ|AKIA|ASIA|ABSK)[\w.+/=-]{6,}|\bBearer\s+\S+/g, '[secret]')
  )
}
