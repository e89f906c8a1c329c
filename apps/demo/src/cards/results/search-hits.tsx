import type { ToolOutput } from '@offthread/core'
import type { ReactNode } from 'react'
import { counted } from '../../text/quantity.ts'
import type { searchDocs } from '../../tools/search-docs/search-docs-definition.ts'
import { inPlace } from '../../ui/in-place.ts'

type Found = ToolOutput<typeof searchDocs>

/** Where something was found, the best place first. */
export function SearchHits({ hits, sections, files }: Found): ReactNode {
  return (
    <>
      <ol className="small hits">
        {inPlace(hits, ({ file, heading, snippet }) => (
          <li>
            <p className="hit-place">
              <span className="hit-file">{file}</span>
              {heading !== '' && <span> › {heading}</span>}
            </p>
            <p className="hit-snippet">
              {/* The search puts its hits between `**`. */}
              {inPlace(snippet.split('**'), (text, at) =>
                at % 2 === 1 ? <mark>{text}</mark> : text,
              )}
            </p>
          </li>
        ))}
      </ol>
      <p className="quiet">
        {hits.length === 0 ? 'Nothing found in ' : 'The best of '}
        {counted(sections, 'section')} in {counted(files, 'file')}
      </p>
    </>
  )
}
