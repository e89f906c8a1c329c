import { type Execute, toolResult } from '@offthread/core/worker'
import type { z } from 'zod'
import { counted } from '../../text/quantity.ts'
import { startSqlite } from '../sqlite/start-sqlite.ts'
import { readText } from '../table/read-text.ts'
import type { searchDocs } from './search-docs-definition.ts'
import { createSearchIndex } from './search-index.ts'
import { sectionsOf } from './sections.ts'

const prefix = 'file:'

const execute: Execute<typeof searchDocs> = async ({ query, limit }, context) => {
  const { resources, onProgress } = context
  const dropped = Object.entries(resources).flatMap(([name, resource]) =>
    name.startsWith(prefix) && resource instanceof Blob
      ? [[name.slice(prefix.length), () => textOf(resource)] as const]
      : [],
  )
  const own = [...ownDocs].map(([name, text]) => [name, () => text] as const)
  const files = [...own, ...dropped]
  const index = createSearchIndex(await startSqlite(resources['wasm']))
  let sections = 0
  for (const [at, [name, read]] of files.entries()) {
    const found = sectionsOf(name, await read())
    index.add(found)
    sections += found.length
    onProgress({ value: at + 1, total: files.length, unit: 'files', message: name })
    await context.yield()
  }
  const hits = [...index.search(query, limit)]
  index.close()
  const output = { sections, files: files.length, hits }
  return toolResult({ output, content: toText(output) })
}

export default execute

function toText({ sections, files, hits }: z.output<typeof searchDocs.outputSchema>): string {
  const places = hits.map(({ file, heading, snippet }) => {
    const place = heading === '' ? file : `${file} › ${heading}`
    return `- ${place}: ${snippet}`
  })
  const where = `${counted(sections, 'section')} of ${counted(files, 'file')}`
  return [`${counted(hits.length, 'place')} found in ${where}.`, ...places].join('\n')
}

async function textOf(file: Blob): Promise<string> {
  let text = ''
  for await (const piece of readText(file)) text += piece.text
  return text
}

const pages = import.meta.glob<string>(
  ['../../../../../{README,SPEC,REQUIREMENTS}.md', '../../../../../docs/*.md'],
  { query: '?raw', import: 'default', eager: true },
)

/** The documentation of this project, by the names of its files. It is part of the build. */
export const ownDocs: ReadonlyMap<string, string> = new Map(
  Object.entries(pages).map(([path, text]) => [path.replace(/^(?:\.\.\/)+/, ''), text]),
)
