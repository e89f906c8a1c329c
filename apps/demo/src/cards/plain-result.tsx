import type { ImageContent, ToolResult } from '@offthread/core'
import type { ReactNode } from 'react'
import { LongText } from '../text/long-text.tsx'
import { prettyJson } from '../text/pretty-json.ts'
import { textOfParts } from '../text/text-of-parts.ts'
import { inPlace } from '../ui/in-place.ts'

interface PlainResultProps {
  readonly result: ToolResult
  readonly name: string
}

/** The result of any tool: its data, otherwise its text, and its images. */
export function PlainResult({ result, name }: PlainResultProps): ReactNode {
  const images = result.content.filter((part) => part.type === 'image')
  const isData = result.structuredContent !== undefined
  const hasText = isData || result.content.some((part) => part.type === 'text')
  return (
    <>
      {hasText && <LongText text={plainText(result)} name={name} />}
      {inPlace(images, (image) => (
        <img className="result-image" src={addressOf(image)} alt={`Result of ${name}`} />
      ))}
      {!hasText && images.length === 0 && <p className="quiet">It returned nothing.</p>}
    </>
  )
}

function plainText({ content, structuredContent }: ToolResult): string {
  if (structuredContent === undefined || typeof structuredContent === 'string') {
    return textOfParts(content)
  }
  return prettyJson(structuredContent, textOfParts(content).length)
}

const pictures = /^image\/(?:png|jpeg|gif|webp)$/

function addressOf({ mediaType, data }: ImageContent): string | undefined {
  return pictures.test(mediaType) ? `data:${mediaType};base64,${data}` : undefined
}
