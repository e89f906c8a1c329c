import type { Target } from './failures.ts'

/** Characters that are looked at: no caller shows more of them, and a longer search would overflow the stack. */
const longest = 10_000

/** A text of a server without the key material that it quotes: what was sent, and whatever looks like it. */
export function redacted(text: string, { secrets }: Pick<Target, 'secrets'>): string {
  const sent = secrets().filter((secret) => secret.length >= 6)
  // No key has this character, but a text in UTF-16 has it between those of a key.
  const once = without(sent, text.slice(0, longest).replaceAll('\0', ''))
  // As an address or JSON in it has a key. A text that quotes none stays as it is.
  const { plain } = unescaped(once.replace(/%(?=[2-7][\da-f])/gi, '\\u00'))
  const twice = without(sent.map(written), plain)
  return (twice === plain ? once : twice).replace(
    /\b(sk-|ya29\.|eyJ|AKIA|ASIA|ABSK)[\w.+/=-]{6,}|\bBearer\s+\S+/g,
    '[secret]',
  )
}

/** The text with `[secret]` in place of each key. */
export function without(keys: readonly string[], text: string): string {
  // One may be the beginning of another.
  const longestFirst = keys.toSorted((a, b) => b.length - a.length)
  return longestFirst.reduce((rest, key) => rest.replaceAll(key, '[secret]'), text)
}

/** A text as it stands in JSON. */
export function written(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

/** JSON without unnecessary escapes. An escape at its end that may be incomplete is returned as `rest`. */
export function unescaped(json: string): { readonly plain: string; readonly rest: string } {
  let rest = ''
  const plain = json.replace(
    /\\(?:u(.{4})|([^u])|(?:u.{0,3})?$)/gs,
    (escaped, code?: string, sign?: string) => {
      if (!code && !sign) rest = escaped
      const character = sign === '/' ? sign : String.fromCharCode(Number(`0x${code}`))
      return rest !== '' ? '' : /[ -~]/.test(character) ? written(character) : escaped
    },
  )
  return { plain, rest }
}
