import { changedEvent, hostsModule, hostsModuleCode } from './hosts-module.ts'
import { makesAgent, reachesMaker } from './makes-agent.ts'
import {
  type DevelopedModule,
  isInWorker,
  isOnlyInWorkers,
  isWorkerConstructor,
} from './only-in-workers.ts'
import { registerHosts } from './register-hosts.ts'

/** A Vite plugin. It is written without Vite's types, so that our declarations can be read without Vite. */
export interface OffthreadPlugin {
  readonly name: 'offthread'
  /** The plugin works on JavaScript, so it comes after the compiler. */
  readonly enforce: 'post'
  readonly config: (user: UserConfig) => {
    readonly worker?: { readonly format: 'es' }
    readonly optimizeDeps: { readonly entries: string[] }
  }
  readonly resolveId: (id: string) => string | undefined
  readonly load: (id: string) => string | undefined
  readonly transform: (
    this: { readonly environment: { readonly mode: string; readonly name: string } },
    code: string,
    id: string,
  ) => { readonly code: string; readonly map: null } | undefined
  readonly hotUpdate: {
    /** Before the hook of a framework, which may reload the page for each module that has changed. */
    readonly order: 'pre'
    readonly handler: <Module extends DevelopedModule>(
      this: { readonly environment: { readonly name: string; readonly hot: HotChannel } },
      change: { readonly modules: Module[] },
    ) => Module[] | undefined
  }
}

interface HotChannel {
  send(event: string): void
  send(payload: { type: 'full-reload' }): void
}

interface UserConfig {
  readonly worker?: { readonly format?: 'es' | 'iife' | undefined } | undefined
  readonly optimizeDeps?: { readonly entries?: string | readonly string[] | undefined } | undefined
}

/** Without these entries Vite would find the dependencies of workers at the first call, and reload the page. */
const workerEntries = '**/*.worker.{js,jsx,mjs,ts,tsx,mts}'

/**
 * A plugin for Vite that keeps the page, and with it the conversation, while tools are edited: a change of a module
 * that only workers load does not reload the page. The next call runs the new code; workers that wait for calls are
 * ended, one that runs a call finishes it. A change that would make a second agent, of the module that makes it or of what
 * this imports, reloads the page. Tested with Vite 8; its hooks are there since Vite 6.
 *
 * It also has workers built as modules (`worker.format: 'es'`), unless you say otherwise, so that
 * `implement(tool, () => import('./heavy.ts'))` stays lazy; and it has the dependencies of files named
 * `*.worker.ts` prepared when the server starts. Without that the first call reloads the page.
 *
 * @example
 * ```ts
 * // vite.config.ts
 * import { offthread } from '@offthread/core/vite'
 * import { defineConfig } from 'vite'
 *
 * export default defineConfig({ plugins: [offthread()] })
 * ```
 */
export function offthread(): OffthreadPlugin {
  /** The modules of the page that have made an agent. */
  const makers = new Set<string>()
  return {
    name: 'offthread',
    enforce: 'post',
    config: ({ worker, optimizeDeps }) => ({
      ...(worker?.format === undefined && { worker: { format: 'es' } }),
      optimizeDeps: {
        // As soon as there are entries, Vite no longer looks for pages by itself.
        entries: [...(optimizeDeps?.entries === undefined ? ['**/*.html'] : []), workerEntries],
      },
    }),
    resolveId: (id) => (id === hostsModule ? `\0${id}` : undefined),
    load: (id) => (id === `\0${hostsModule}` ? hostsModuleCode : undefined),
    transform(code, id) {
      const { mode, name } = this.environment
      if (mode !== 'dev' || name !== 'client' || id.includes('/node_modules/')) return undefined
      if (makesAgent(code)) makers.add(id)
      else makers.delete(id)
      const registering = registerHosts(code)
      return registering === undefined ? undefined : { code: registering, map: null }
    },
    hotUpdate: {
      order: 'pre',
      handler({ modules }) {
        const { name, hot } = this.environment
        if (name !== 'client') return undefined
        if (modules.some(isInWorker)) hot.send(changedEvent)
        const ofPage = modules.filter(
          (module) => !isOnlyInWorkers(module) && !isWorkerConstructor(module),
        )
        if (!reachesMaker(ofPage, makers)) return ofPage
        // A view that took the change would show a second agent, and the first one would run on.
        hot.send({ type: 'full-reload' })
        return []
      },
    },
  }
}
