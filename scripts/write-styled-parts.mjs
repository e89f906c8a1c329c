/** A step of `npm run build`: puts the parts that an app can copy into the package whose command copies them. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { styledParts, styledText } from './styled-parts.mjs'

const target = 'packages/react/styled'
const { dependencies } = /** @type {{ dependencies: Record<string, string> }} */ (
  JSON.parse(readFileSync('apps/demo/package.json', 'utf8'))
)
const parts = Object.fromEntries(
  Object.entries(styledParts()).map(([name, part]) => [
    name,
    { ...part, packages: part.packages.map((one) => `${one}@${dependencies[one]}`) },
  ]),
)

rmSync(target, { recursive: true, force: true })
for (const file of new Set(Object.values(parts).flatMap(({ files }) => files))) {
  mkdirSync(dirname(join(target, file)), { recursive: true })
  writeFileSync(join(target, file), styledText(file))
}
writeFileSync(join(target, 'parts.json'), JSON.stringify({ parts }, null, 2))
