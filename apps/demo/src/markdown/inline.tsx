import type { MarkedToken, Tokens } from 'marked'
import type { ReactNode } from 'react'
import { inPlace } from '../ui/in-place.ts'
import { decodeEntities } from './entities.ts'
import { knownTokens } from './tokens.ts'

const deepest = 40

interface InlineProps {
  readonly tokens: readonly MarkedToken[]
  readonly depth?: number
}

/** Inline text. HTML in it is shown as text. */
export function Inline({ tokens, depth = 0 }: InlineProps): ReactNode {
  return inPlace(tokens, (token) => inlineToken(token, depth))
}

function inlineToken(token: MarkedToken, depth: number): ReactNode {
  if (depth > deepest) return token.raw
  switch (token.type) {
    case 'text':
      return token.tokens ? inside(token, depth) : decodeEntities(token.text)
    case 'escape':
      return token.text
    case 'strong':
      return <strong>{inside(token, depth)}</strong>
    case 'em':
      return <em>{inside(token, depth)}</em>
    case 'del':
      return <del>{inside(token, depth)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link href={token.href}>{inside(token, depth)}</Link>
    case 'image':
      return <ImageLink image={token} />
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    default:
      return token.raw
  }
}

function inside({ tokens }: Pick<Tokens.Text, 'tokens'>, depth: number): ReactNode {
  return <Inline tokens={knownTokens(tokens)} depth={depth + 1} />
}

function Link({ href, children }: { href: string; children: ReactNode }): ReactNode {
  const address = safeLink(href)
  if (address === undefined) return children
  return (
    <a href={address} title={address} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}

/** An image becomes a link, because loading it would send data of the answer to its server. */
function ImageLink({ image }: { readonly image: Tokens.Image }): ReactNode {
  return <Link href={image.href}>Image: {image.text || 'without description'}</Link>
}

const schemes = new Set(['https:', 'http:', 'mailto:'])

/** The absolute address of a link; `undefined` if it is relative or its scheme is not allowed. */
function safeLink(href: string): string | undefined {
  try {
    const url = new URL(href)
    return schemes.has(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}
