import { createAgent, type Implementation, implement, inPage, type Tool } from '@offthread/core'
import { toParts } from '../files/attachments.ts'
import { keepTables } from '../keep-tables.ts'
import { plannerModel } from '../model/planner-model.ts'
import executeCompress from '../tools/compress-file.lazy.ts'
import { dataTools } from '../tools/data-tools.ts'
import { monteCarlo } from '../tools/definitions.ts'
import { createLogReader } from '../tools/event-log.ts'
import { renderFractal } from '../tools/fractal/render-fractal-definition.ts'
import executeHash from '../tools/hash-file.lazy.ts'
import executeLoad from '../tools/load-table.lazy.ts'
import executeMonteCarlo from '../tools/monte-carlo.lazy.ts'
import { layoutPlot } from '../tools/plot/layout-plot.ts'
import { plot } from '../tools/plot/plot-definition.ts'
import executeCode from '../tools/run-js/run-js.lazy.ts'
import executeSearch from '../tools/search-docs/search-docs.lazy.ts'
import executeQuery from '../tools/sql-query.lazy.ts'
import { createDataStore, type DataStore } from '../tools/tables.ts'
import { modulesOnDisk } from '../tools/tools.fixtures.ts'

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

/** A conversation as on the page: the real adapter, loop and tools, the tools on this thread. `onCall` may throw. */
export function startTalk(onCall: OnCall = () => {}, more: readonly Implementation[] = []): Talk {
  const store = createDataStore()
  const agent = createAgent({
    model: plannerModel({ delayMs: 0, chunkSize: 400 }),
    tools: [inPage([...toolsHere(store, onCall), ...more])],
    maxTurns: 5,
  })
  keepTables(agent, store)
  store.setLog(createLogReader(agent))
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

const loaded = new Map<string, ReturnType<typeof executeLoad>>()

/** Most questions are about the same few files, and to load one costs as much as the answer. */
const loadOnce: typeof executeLoad = async (input, context) => {
  const { file } = context.resources
  const key = JSON.stringify([input, file instanceof Blob ? await file.text() : null])
  const known = loaded.get(key) ?? executeLoad(input, context)
  loaded.set(key, known)
  return known
}

/** The tools of the page, on this thread. */
export function toolsHere(store: DataStore, onCall: OnCall = () => {}) {
  const tools = dataTools(store, modulesOnDisk)
  const here = <T extends Tool>(tool: T) => ({
    ...tool,
    place: 'page' as const,
    resources: (input: never) => {
      onCall(tool.name, input)
      return tool.resources?.(input) ?? {}
    },
  })
  return [
    implement(here(tools.loadTable), loadOnce),
    implement(here(tools.sqlQuery), executeQuery),
    implement(here(tools.hashFile), executeHash),
    implement(here(tools.compressFile), executeCompress),
    implement(here(tools.runJs), executeCode),
    implement(here(tools.searchDocs), executeSearch),
    implement(here(monteCarlo), executeMonteCarlo),
    // These draw, which only a browser does.
    implement(here(plot), (input) => layoutPlot(input, (text) => text.length * 7)),
    implement(here(renderFractal), () => ({ width: 1, height: 1, inside: 0 })),
    implement(here(tools.editImage), ({ file }) => ({
      ...{ file, name: `edited ${file}`, width: 800, height: 600, bytes: 12_000 },
    })),
  ]
}
