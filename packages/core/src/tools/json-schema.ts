import {
  dereference,
  type OutputUnit,
  type Schema,
  type SchemaDraft,
  Validator,
} from '@cfworker/json-schema'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isObject, type JsonObject } from '../internal/json.ts'
import { messageOf } from '../internal/message-of.ts'
import { toPlain } from '../internal/plain.ts'
import { problemsOf } from './check-args.ts'
import { metaSchema } from './meta-schema.ts'
import { chargePart, type Steps, stepThrough, tooManySteps } from './schema-steps.ts'
import type { ToolSchema } from './tool-schema.ts'

/**
 * Makes a tool's schema of plain JSON Schema, for tools that are described elsewhere: by a server, in a file. It
 * is checked as written and nothing is filled in or changed: `default` says something to the model only. No code
 * is generated, so it works under the strictest Content Security Policy.
 *
 * The dialect is the one that `$schema` names, else 2020-12. Name the input's type yourself if you know it.
 *
 * Not for a worker that is started from a Blob on an origin with a port: the library underneath does not load there.
 *
 * Throws a `TypeError` for what is no JSON Schema, describes no object, or refers to what is not inside it.
 *
 * @example
 * ```ts
 * defineTool({
 *   name: remote.name,
 *   description: remote.description,
 *   inputSchema: jsonSchema(remote.inputSchema),
 * })
 * ```
 */
export function jsonSchema<Input extends object = JsonObject>(schema: object): ToolSchema<Input>
export function jsonSchema(schema: object): ToolSchema {
  const plain = readSchema(schema)
  // A copy of its own, because the validator writes into it.
  const compiled = tryCompile(structuredClone(plain))
  // A copy for each caller, who may change it.
  const written = () => structuredClone(plain)
  return {
    '~standard': {
      version: 1,
      vendor: 'offthread',
      validate: (value) => validateBy(compiled, value),
      jsonSchema: { input: written, output: written },
    },
  }
}

function readSchema(schema: unknown): Schema & Record<string, unknown> {
  const plain = tryPlain(schema)
  const problems = issuesOf(new Validator(metaSchema, '7', false), plain)
  if (problems.length > 0) throw new TypeError(`This is no JSON Schema: ${problemsOf(problems)}`)
  if (!isSchema(plain) || plain.type !== 'object') {
    throw new TypeError(
      "The JSON Schema of a tool must describe an object: give it type: 'object'.",
    )
  }
  return plain
}

// Called with what the meta schema has let through.
function isSchema(value: unknown): value is Schema & Record<string, unknown> {
  return isObject(value)
}

function tryPlain(schema: unknown): unknown {
  try {
    return toPlain(schema)
  } catch (cause) {
    throw new TypeError(`This is no JSON Schema: ${messageOf(cause)}.`, { cause })
  }
}

interface Compiled {
  readonly validator: Validator
  readonly steps: Steps
}

function tryCompile(schema: Schema): Compiled {
  const lookup = tryDereference(schema)
  const parts = new Set(Object.values(lookup).filter((part) => typeof part !== 'boolean'))
  for (const { __absolute_ref__: ref, $ref } of parts) {
    if (ref === undefined || ref in lookup) continue
    throw new TypeError(
      `The JSON Schema has no "${$ref}". A $ref must lead to a part of the same schema: write what it stands for into its $defs.`,
    )
  }
  const steps: Steps = { left: 0, longest: 0 }
  for (const part of parts) chargePart(part, steps)
  return { validator: new Validator(schema, draftOf(schema.$schema), false), steps }
}

function tryDereference(schema: Schema): ReturnType<typeof dereference> {
  try {
    return dereference(schema)
  } catch (cause) {
    throw new TypeError(`The JSON Schema cannot be used: ${messageOf(cause)}`, { cause })
  }
}

function draftOf($schema: string | undefined): SchemaDraft {
  if ($schema?.includes('draft-04')) return '4'
  if ($schema?.includes('draft-06') || $schema?.includes('draft-07')) return '7'
  return $schema?.includes('2019-09') ? '2019-09' : '2020-12'
}

function validateBy(
  { validator, steps }: Compiled,
  value: unknown,
): StandardSchemaV1.Result<unknown> {
  const plain = toPlain(value)
  const issues = tryIssues(validator, stepThrough(plain, steps))
  return issues.length === 0 ? { value: plain } : { issues }
}

function tryIssues(validator: Validator, value: unknown): readonly StandardSchemaV1.Issue[] {
  try {
    return issuesOf(validator, value)
  } catch (cause) {
    // A part that refers to itself fills the stack before the steps are used up.
    throw cause instanceof RangeError ? tooManySteps(cause) : cause
  }
}

/** Keywords whose errors only say that something inside them is wrong; the error itself follows. */
const wrappers =
  /^(\$ref|\$recursiveRef|properties|patternProperties|additionalProperties|unevaluatedProperties|items|prefixItems|additionalItems|unevaluatedItems|allOf)$/

/** More errors than this a model does not mend in one go. */
const mostIssues = 100

function issuesOf(validator: Validator, value: unknown): readonly StandardSchemaV1.Issue[] {
  const { valid, errors } = validator.validate(value)
  if (valid) return []
  return errors
    .filter(({ keyword }) => !wrappers.test(keyword))
    .slice(0, mostIssues)
    .map((error) => ({ path: pathOf(error), message: messageFor(error) }))
}

function pathOf({ instanceLocation }: OutputUnit): readonly string[] {
  return instanceLocation
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
}

function messageFor({ keyword, error }: OutputUnit): string {
  switch (keyword) {
    case 'false':
      return 'Nothing is allowed here.'
    case 'maxProperties':
      // The library says "at least" where it means "at most".
      return error.replace('at least', 'at most')
    default:
      // The message starts with the value if that is a number.
      return error.replace(/^-?[\d.]\S* is /, 'Number is ')
  }
}
