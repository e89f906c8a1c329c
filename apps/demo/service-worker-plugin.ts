import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Plugin, transformWithOxc } from 'vite'

const source = join(import.meta.dirname, 'offline/service-worker.ts')

/** Writes the service worker beside the built page, with the names of all files of the build. */
export function serviceWorker(): Plugin {
  let outDir = ''
  return {
    name: 'offthread:service-worker',
    apply: 'build',
    configResolved(config) {
      outDir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = filesIn(outDir).filter((file) => !onAgreement.test(file))
      const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source)
      const version = createHash('sha256').update(code)
      for (const file of files) version.update(file).update(readFileSync(join(outDir, file)))
      const values = {
        files: ['/', ...files.map((file) => `/${file}`)],
        version: version.digest('hex').slice(0, 16),
      }
      const constants = Object.entries(values).map(
        ([name, value]) => `const ${name} = ${JSON.stringify(value)}\n`,
      )
      writeFileSync(join(outDir, 'service-worker.js'), constants.join('') + code)
    },
  }
}

/** Code that is loaded after the user agreed to it, and that nothing offline can use. */
const onAgreement = /^assets\/engine[.-]/

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .toSorted()
}
