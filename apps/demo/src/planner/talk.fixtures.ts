import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createAgent, type Implementation, implement, inPage, type Tool } from '@offthread/core'
import { toParts } from '../files/attachments.ts'
import { keepTables } from '../keep-tables.ts'
import { plannerModel } from '../model/planner-model.ts'
import { catalogOf } from '../tools/catalog.ts'
import { hashFile, loadTable, monteCarlo, sqlQuery } from '../tools/definitions.ts'
import executeHash from '../tools/hash-file.lazy.ts'
import executeLoad from '../tools/load-table.lazy.ts'
import executeMonteCarlo from '../tools/monte-carlo.lazy.ts'
import { layoutPlot } from '../tools/plot/layout-plot.ts'
import { plot } from '../tools/plot/plot-definition.ts'
import executeQuery from '../tools/sql-query.lazy.ts'
import { createDataStore, findFile, tablesFor } from '../tools/tables.ts'

export interface Said {
  /** The closing text of the answer, without the questions that it offers. */
  readonly text: string
  readonly buttons: readonly string[]
  /** The calls of each turn, as `name {json}`. */
  readonly turns: readonly (readonly string[])[]
}

export interface Talk {
  readonly ask: (text: string, files?: Readonly<Record<string, string>>) => Promise<Said>
}

type OnCall = (name: string, input: unknown) => void

const path = createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm')
const wasm = WebAssembly.compile(readFileSync(path))

/** A conversation as on the page: the real adapter, loop and tools, the tools on this thread. `onCall` may throw. */
export function startTalk(onCall: OnCall = () => {}, more: readonly Implementation[] = []): Talk {
  const store = createDataStore()
  const agent = createAgent({
    model: plannerModel({ delayMs: 0, chunkSize: 400 }),
    tools: [inPage([...implementations(store, onCall), ...more])],
    maxTurns: 5,
  })
  keepTables(agent, store)
  let turns: string[][] = []
  agent.subscribe((event) => {
    if (event.type === 'turn_start') turns.push([])
    if (event.type === 'tool_execution_start')
      turns.at(-1)?.push(`${event.toolName} ${JSON.stringify(event.args)}`)
  })
  return {
    ask: async (text, files = {}) => {
      const dropped = Object.entries(files).map(([name, content]) => ({
        name,
        file: new Blob([content]),
      }))
      for (const { name, file } of dropped) store.addFile(name, file)
      turns = []
      const { error } = await agent.prompt(toParts(text, dropped))
      if (error) throw new Error(error.message)
      const answer = agent.getState().messages.findLast(({ role }) => role === 'assistant')
      const parts = (answer?.content ?? []).flatMap((part) =>
        part.type === 'text' ? [part.text] : [],
      )
      const [said = '', ...offered] = parts.join('').split('```ask\n')
      const buttons = offered.flatMap((block) => block.split('\n```')[0]?.split('\n') ?? [])
      return { text: said, buttons, turns }
    },
  }
}

function implementations(store: ReturnType<typeof createDataStore>, onCall: OnCall) {
  const file = async (input: { readonly file: string }) => ({
    file: findFile(store.getState(), input.file),
    wasm: await wasm,
  })
  const images = async ({ sql }: { readonly sql: string }) => {
    const state = store.getState()
    const tables = tablesFor(state, sql).map(
      async ({ table, image }) => [`table:${table}`, await image()] as const,
    )
    const all = await Promise.all(tables)
    return { ...Object.fromEntries(all), catalog: catalogOf(state), wasm: await wasm }
  }
  const here = <T extends Tool>(tool: T, resources: T['resources']) => ({
    ...tool,
    place: 'page' as const,
    resources: (input: never) => {
      onCall(tool.name, input)
      return resources?.(input) ?? {}
    },
  })
  return [
    implement(here(loadTable, file), executeLoad),
    implement(here(sqlQuery, images), executeQuery),
    implement(here(hashFile, file), executeHash),
    implement(here(monteCarlo, undefined), executeMonteCarlo),
    // The page measures letters with the DOM.
    implement(here(plot, undefined), (input) => layoutPlot(input, (text) => text.length * 7)),
  ]
}
