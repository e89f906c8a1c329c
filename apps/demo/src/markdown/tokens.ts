import type { MarkedToken, Token } from 'marked'
import { Lexer } from 'marked'

const known = new Set(
  `blockquote br checkbox code codespan def del em escape heading hr html image link list list_item
  paragraph space strong table text`.split(/\s+/),
)

/** The tokens of one block. If the lexer throws, the block becomes one token of text. */
export function lexBlock(raw: string): readonly MarkedToken[] {
  try {
    return knownTokens(new Lexer().lex(raw))
  } catch {
    return [{ type: 'text', raw, text: raw }]
  }
}

/** Narrows the type to markdown's own tokens. No extension is installed, so no token is dropped. */
export function knownTokens(tokens: readonly Token[] | undefined): readonly MarkedToken[] {
  return (tokens ?? []).filter(isKnown)
}

function isKnown(token: Token): token is MarkedToken {
  return known.has(token.type)
}
