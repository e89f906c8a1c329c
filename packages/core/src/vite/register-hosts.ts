import { hostsModule } from './hosts-module.ts'

const importing = /^import\s*\{([^}]*)\}\s*from\s*(['"])@offthread\/core\2/gm
const imported = /(?<![\w$])inWorkers(?:\s+as\s+([\w$]+))?(?![\w$])/

/**
 * The code of a module in which every host made by `inWorkers` is known to the page; `undefined` if it imports
 * none. No line moves.
 *
 * The `inWorkers` of the module becomes a function of its own that calls the imported one.
 */
export function registerHosts(code: string): string | undefined {
  let name: string | undefined
  const renamed = code.replaceAll(importing, (statement: string) =>
    statement.replace(imported, (_, alias: string | undefined) => {
      name = alias ?? 'inWorkers'
      return 'inWorkers as __offthreadInWorkers'
    }),
  )
  if (name === undefined) return undefined
  return `${renamed}
;import { register as __offthreadRegister } from '${hostsModule}'
function ${name}(...given) { return __offthreadRegister(__offthreadInWorkers(...given)) }
`
}
