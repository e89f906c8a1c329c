import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { JsonObject } from '../internal/json.ts'
import type { PlatformScope, PlatformType } from '../internal/platform-type.ts'
import type { Place } from '../kernel/events.ts'
import { checkOptions } from './option-rules.ts'
import { jsonSchemaOf, type ToolSchema } from './tool-schema.ts'

/** Bytes that are handed to a call beside its input. They never enter an event. */
export type Resource = Blob | MovableResource | CompiledModule
/** Of WebAssembly. The platform's type of it has no member, so that alone would take any value. */
type CompiledModule = object & PlatformType<'Module', PlatformScope<'WebAssembly'>>
/** Resources that can be moved to a worker without a copy. The page then no longer has them. */
export type MovableResource = ArrayBuffer | PlatformType<'ImageBitmap'>
/** The resources of a call, by the names that its code uses. */
export type Resources = Readonly<Record<string, Resource>>

/** Where a tool can run. For `client` it runs nowhere: the user interface answers its calls. */
export type ToolPlace = Place

/**
 * How often a failed call is tried again, and how long it waits before: `baseMs`, doubled for each attempt, with
 * jitter.
 */
type ToolRetry = {
  /** How many attempts, the first included: a whole number, at least 2. */
  readonly maxAttempts: number
  /** The longest wait before the second attempt. Default 1,000. */
  readonly baseMs: number
  /** The longest wait before any attempt. Default 30,000. */
  readonly capMs: number
}

type RetryOptions = Pick<ToolRetry, 'maxAttempts'> & Partial<ToolRetry>

/** What happens to a call that was cut off with its page. */
type OnInterrupt = 'error' | 'rerun' | 'check'

// The type comes from a method, so that a tool with a narrower input is still a `Tool`.
/** Whether a person has to allow each call, or what decides it by the checked input. */
type NeedsApproval<Input extends ToolSchema> =
  | boolean
  | {
      ask(this: void, input: StandardSchemaV1.InferOutput<Input>): boolean | Promise<boolean>
    }['ask']

/** A tool as the model, people and the loop see it. Its code is given by `implement`. */
export interface ToolOptions<
  Name extends string,
  Input extends ToolSchema,
  Output extends ToolSchema | undefined,
> {
  /** Unique among an agent's tools: letters, digits, `_` and `-`, at most 64. */
  readonly name: Name
  /** For people: the title of the card. Default: the name. */
  readonly label?: string
  /** For the model: what the tool does and when to use it. */
  readonly description: string
  readonly inputSchema: Input
  /** Checked where the tool runs, and gives the result its type. Default: any JSON, unchecked. */
  readonly outputSchema?: Output
  /**
   * Where it runs. Default `'worker'`; `'page'` for a tool that needs the DOM; `'isolated'` for code that your
   * team did not write; `'client'` for one without code, whose calls the user interface answers with `agent.addToolResult`.
   */
  readonly place?: ToolPlace
  /**
   * Whether a person is asked before each call, or a function that decides it by the checked input. It runs on
   * the page, and a person is asked unless it gives `false`. Default `false`.
   */
  readonly needsApproval?: NeedsApproval<Input>
  /** `'sequential'`: no other call of the answer runs at the same time. Default `'parallel'`. */
  readonly executionMode?: 'parallel' | 'sequential'
  /** Milliseconds the code may run, starting it not counted. Default 60,000; `null` is for ever. */
  readonly timeoutMs?: number | null
  /**
   * Milliseconds its worker may give no sign of life, for code that never blocks its thread for long: a worker
   * gives one every second by itself. Then the call has crashed. Default `null`: silence is no failure.
   */
  readonly maxSilenceMs?: number | null
  /**
   * Milliseconds between two reports of the same thing: of partial results, and of the numbers of one progress, only
   * the latest is sent. 0: each of them is an event. Default: that of the agent.
   */
  readonly updateIntervalMs?: number | null
  /** Default: a failed call is not tried again. */
  readonly retry?: RetryOptions
  /** Running a call twice has the effect of running it once. Default `false`. */
  readonly idempotent?: boolean
  /**
   * What becomes of a call whose code was running when its page ended, once its run is continued. `'error'` (default): it
   * has ended as interrupted, and the model decides. `'rerun'`: it runs again, for a tool that is `idempotent` or writes
   * nothing. `'check'`: its code is asked first what became of it (see `implement`), and runs again only if nothing did.
   * `context.toolCallId` is the same in both attempts: give it to a server as the key of the request.
   */
  readonly onInterrupt?: OnInterrupt
  /** What its code may change or see outside itself. Default `'writes'`, the careful guess. */
  readonly effects?: 'none' | 'reads' | 'writes'
  /**
   * For place `'isolated'`: whether its code may end the run after its batch, with `terminate`. Default `false`: the wish
   * is left out. Code at every other place is your team's, and may.
   */
  readonly mayTerminate?: boolean
  /**
   * Bytes the call gets in `context.resources`. Runs on the page for each call, after its input was checked.
   * What it throws fails the call.
   */
  resources?(this: void, input: StandardSchemaV1.InferOutput<Input>): Resources | Promise<Resources>
  /**
   * `true`: the buffers and bitmaps that `resources` gives are moved to the worker and not copied, so the
   * page's own references to them become empty. Default `false`.
   */
  readonly transferResources?: boolean
}

/** A tool that was checked by `defineTool`. */
export interface Tool<
  Name extends string = string,
  Input extends ToolSchema = ToolSchema,
  Output extends ToolSchema | undefined = ToolSchema | undefined,
> {
  readonly name: Name
  readonly label: string
  readonly description: string
  readonly inputSchema: Input
  readonly outputSchema: Output
  /** `inputSchema` as JSON Schema, for the model. */
  readonly inputJsonSchema: JsonObject
  readonly place: ToolPlace
  readonly needsApproval: NeedsApproval<Input>
  readonly executionMode: 'parallel' | 'sequential'
  readonly timeoutMs: number | null
  /** `null`: the worker may be silent for any time. */
  readonly maxSilenceMs: number | null
  /** `null`: the tool uses the interval of the agent. */
  readonly updateIntervalMs: number | null
  /** `null`: a failed call is not tried again. */
  readonly retry: ToolRetry | null
  readonly idempotent: boolean
  /** What happens to a call that was cut off with its page. */
  readonly onInterrupt: OnInterrupt
  readonly effects: 'none' | 'reads' | 'writes'
  /** Whether isolated code may end the run after its batch. */
  readonly mayTerminate: boolean
  readonly transferResources: boolean
  // A method, so that a tool with a narrower input is still a `Tool`.
  resources?(this: void, input: StandardSchemaV1.InferOutput<Input>): Resources | Promise<Resources>
}

const legalName = /^[a-zA-Z0-9_-]{1,64}$/

/**
 * Defines a tool: what the model may call. The definition is light and is imported by the page and by the
 * worker; what the tool does is said with `implement` and loaded only where it runs.
 *
 * Throws a `TypeError` for an illegal name, a schema that is no object or has no JSON Schema, and an option out
 * of its bounds.
 *
 * @example
 * ```ts
 * export const countPrimes = defineTool({
 *   name: 'count_primes',
 *   description: 'Counts the primes below n.',
 *   inputSchema: z.object({ n: z.number().int().positive() }),
 *   outputSchema: z.object({ count: z.number() }),
 * })
 * ```
 */
export function defineTool<
  const Name extends string,
  Input extends ToolSchema,
  Output extends ToolSchema | undefined = undefined,
>(options: ToolOptions<Name, Input, Output>): Tool<Name, Input, Output>
export function defineTool(options: ToolOptions<string, ToolSchema, ToolSchema | undefined>): Tool {
  const { name, description, inputSchema, outputSchema, resources } = options
  if (typeof name !== 'string' || !legalName.test(name)) {
    throw new TypeError(
      `A tool cannot be called ${JSON.stringify(name)}: use 1 to 64 letters, digits, "_" or "-".`,
    )
  }
  const tool: Tool = {
    name,
    label: options.label ?? name,
    description,
    inputSchema,
    outputSchema,
    inputJsonSchema: jsonSchemaOf(`The inputSchema of tool "${name}"`, inputSchema),
    place: options.place ?? 'worker',
    needsApproval: options.needsApproval ?? false,
    executionMode: options.executionMode ?? 'parallel',
    timeoutMs: options.timeoutMs === undefined ? 60_000 : options.timeoutMs,
    maxSilenceMs: options.maxSilenceMs ?? null,
    updateIntervalMs: options.updateIntervalMs ?? null,
    retry: options.retry ? withDefaults(options.retry) : null,
    idempotent: options.idempotent ?? false,
    onInterrupt: options.onInterrupt ?? 'error',
    effects: options.effects ?? 'writes',
    mayTerminate: options.mayTerminate ?? false,
    transferResources: options.transferResources ?? false,
    ...(resources && { resources }),
  }
  checkOptions(tool)
  return tool
}

function withDefaults({ maxAttempts, baseMs = 1000, capMs = 30_000 }: RetryOptions): ToolRetry {
  return { maxAttempts, baseMs, capMs }
}
