import type { ReactNode } from 'react'
import { memo } from 'react'
import { inPlace } from '../ui/in-place.ts'
import { ScrollBox, TableScroll } from '../ui/scroll-box.tsx'
import type { MarkElement, MarkNode } from './tree.ts'

/** One block of markdown. It renders again only if its text changes. */
export const Block = memo(function Block({ element }: { element: MarkElement }): ReactNode {
  return toElement(element)
})

function toElement(element: MarkElement): ReactNode {
  const { tag: Tag, children, align } = element
  const content = inPlace(children, (child: MarkNode) =>
    typeof child === 'string' ? child : toElement(child),
  )
  switch (Tag) {
    case 'plain':
      return <p className="md-plain">{content}</p>
    case 'a':
      return <Link href={element.href ?? ''}>{content}</Link>
    case 'pre':
      return (
        <ScrollBox as="pre">
          <code>{content}</code>
        </ScrollBox>
      )
    case 'table':
      return <TableScroll label="Table">{content}</TableScroll>
    case 'ol':
      return <ol start={element.start ?? 1}>{content}</ol>
    case 'li':
      return <li className={element.task ? 'md-task' : undefined}>{content}</li>
    case 'th':
      return (
        <th scope="col" data-align={align}>
          {content}
        </th>
      )
    case 'td':
      return <td data-align={align}>{content}</td>
    case 'br':
    case 'hr':
      return <Tag />
    default:
      return <Tag>{content}</Tag>
  }
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
