const maxName = 64

/** Names for the tools of a server. */
export interface ToolNames {
  /** The name that a tool has had before, or a free one. */
  readonly nameOf: (remoteName: string) => string
  /** Gives a name to a tool: no other one gets it. */
  readonly keep: (remoteName: string, name: string) => void
}

interface Naming {
  /** The prefix of a name that is taken. */
  readonly prefix: string
  /** Names that other tools of the agent have. */
  readonly taken: readonly string[]
  /** The names that tools have, by their names at the server; new ones are added. */
  readonly names: Map<string, string>
}

/**
 * Makes names that providers accept and no other tool has: the tool's own name, the name with the prefix, or that with
 * a number. However many tools want one name, each costs the same.
 */
export function createToolNames({ prefix, taken, names }: Naming): ToolNames {
  const used = new Set([...taken, ...names.values()])
  /** The next number to try, by the start of the name: names that start alike share one count. */
  const numbers = new Map<string, number>()

  function freeName(remoteName: string): string {
    const own = legal(remoteName)
    if (!used.has(own)) return own
    const prefixed = legal(`${prefix.slice(0, maxName)}_${remoteName.slice(0, maxName)}`)
    if (!used.has(prefixed)) return prefixed
    const start = prefixed.slice(0, maxName - 8)
    for (let n = numbers.get(start) ?? 2; ; n += 1) {
      const suffix = `_${n}`
      const name = `${prefixed.slice(0, maxName - suffix.length)}${suffix}`
      numbers.set(start, n)
      if (!used.has(name)) return name
    }
  }

  return {
    nameOf: (remoteName) => names.get(remoteName) ?? freeName(remoteName),
    keep: (remoteName, name) => {
      names.set(remoteName, name)
      used.add(name)
    },
  }
}

function legal(name: string): string {
  return name.slice(0, maxName).replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}
