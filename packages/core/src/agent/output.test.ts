import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createManualEnvironment, quiet } from '../runtime/environment.fixtures.ts'
import { memoryStorage } from '../storage/memory.ts'
import {
  call,
  fail,
  finish,
  hold,
  rawCall,
  type ScriptedAnswer,
  say,
  scriptedModel,
} from '../testing/scripted.ts'
import {
  catchReports,
  pageTools,
  passTime,
  saidIn,
  sleeping,
  watchedAgent,
} from './agent.fixtures.ts'
import { callPart } from './late-calls.ts'
import { outputPart } from './late-output.ts'
import type { AgentOptions } from './options.ts'

// With them the first run does not take longer than the others.
beforeAll(async () => void (await Promise.all([outputPart.load(), callPart.load()])))

const names = z.object({ names: z.array(z.string()) })
const json = JSON.stringify({ names: ['Ada'] })
const misfit = JSON.stringify({ names: 'Ada' })
const problem = 'names: Invalid input: expected array, received string'
const repair = `The answer does not fit its schema: ${problem}. Give the whole answer again.`

/** An agent whose model has a mechanism of its own for outputs. */
function world(answers: readonly ScriptedAnswer[], options: Partial<AgentOptions> = {}) {
  const model = scriptedModel({ structuredOutput: true }, ...answers)
  return { model, ...watchedAgent({ model, ...options }) }
}

describe('an answer that fits', () => {
  test('[O1] [O2] is the output of the result, and the log says what was asked for', async () => {
    const { agent, eventsOf, model } = world([[say(json)]])

    const result = await agent.prompt('Who?', { output: names })

    expect(result).toMatchObject({ reason: 'stop', text: json, output: { names: ['Ada'] } })
    expect(eventsOf('agent_start')[0]?.output).toEqual({
      schema: expect.objectContaining({ type: 'object', required: ['names'] }),
      maxRepairs: 2,
    })
    expect(eventsOf('output_checked')).toMatchObject([{ messageId: 'msg_2' }])
    expect(model.requests[0]?.output?.isStrict).toBe(true)
    expect(agent.getState().output).toBe('there')
  })

  test('[O1] gives what the schema makes of it', async () => {
    const schema = z.object({
      day: z.string().transform((text) => new Date(text)),
      at: z.number().default(9),
    })
    const { agent } = world([[say('{"day":"2026-03-01"}')]])

    const { output } = await agent.prompt('When?', { output: schema })

    expect(output).toEqual({ day: new Date('2026-03-01'), at: 9 })
  })

  test('[O1] may be fenced, and follow what the model says before', async () => {
    const { agent } = world([[say('Here it is.'), say(`\`\`\`json\n${json}\n\`\`\``)]])

    const { output } = await agent.prompt('Who?', { output: names })

    expect(output).toEqual({ names: ['Ada'] })
  })

  test('[O1] is found by JSON Schema alone, too', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const { agent, model } = world([[say('{"n":"1"}')], [say('{"n":1}')]])

    const { output } = await agent.prompt('How many?', { output: schema })

    expect(output).toEqual({ n: 1 })
    expect(saidIn(model.requests[1])[1]).toContain('n: ')
  })

  test('[O3] comes after tools, and after what is queued', async () => {
    const environment = createManualEnvironment()
    const model = scriptedModel(
      { structuredOutput: true },
      [call('look')],
      [say(json)],
      [say(json)],
    )
    const tools = pageTools(environment, { look: () => 'Ada' })
    const { agent, types } = watchedAgent({ model, tools }, environment)
    agent.followUp('And now?')

    const { output } = await agent.prompt('Who?', { output: names })

    expect(output).toEqual({ names: ['Ada'] })
    expect(types().filter((type) => type === 'output_checked')).toHaveLength(1)
    expect(model.requests).toHaveLength(3)
  })

  test('a run without an output is not checked', async () => {
    const { agent, types } = world([[say('Ada.')]])

    const result = await agent.prompt('Who?')

    expect(result).not.toHaveProperty('output')
    expect(types()).not.toContain('output_checked')
    expect(agent.getState().output).toBeNull()
  })
})

describe('an answer that does not fit', () => {
  test('[O4] goes back to the model, which reads why', async () => {
    const { agent, model, eventsOf } = world([[say(misfit)], [say(json)]])

    const result = await agent.prompt('Who?', { output: names })

    expect(result).toMatchObject({ reason: 'stop', output: { names: ['Ada'] } })
    expect(saidIn(model.requests[1])).toEqual(['Who?', repair])
    const [, checked] = eventsOf('output_checked')
    expect(checked).not.toHaveProperty('problem')
    expect(agent.getState().messages[2]).toMatchObject({ role: 'user', source: 'repair' })
  })

  test('[O5] ends the run after the last repair', async () => {
    const { agent, model } = world([[say(misfit)], [say('No.')], [say('')]])

    const result = await agent.prompt('Who?', { output: names })

    expect(result).toMatchObject({
      reason: 'error',
      error: {
        kind: 'invalid_output',
        message:
          'The answer does not fit the schema of its output: It is not one valid JSON object.',
      },
    })
    expect(result).not.toHaveProperty('output')
    expect(model.requests).toHaveLength(3)
    expect(agent.getState()).toMatchObject({ output: 'missing', can: { continue: true } })
  })

  test('[O5] is not mended at all with maxRepairs: 0', async () => {
    const { agent, model } = world([[say(misfit)]])

    const { error } = await agent.prompt('Who?', { output: names, maxRepairs: 0 })

    expect(error?.kind).toBe('invalid_output')
    expect(model.requests).toHaveLength(1)
  })

  test('[O4] repairs are turns: they end at maxTurns, and at the budget', async () => {
    const { agent } = world([[say(misfit)]], { maxTurns: 1 })
    const other = world([[say(misfit)]], { budget: { maxTokens: 10 } })

    expect((await agent.prompt('Who?', { output: names })).reason).toBe('max_turns')
    expect((await other.agent.prompt('Who?', { output: names })).reason).toBe('budget')
  })

  test('[O4] that was cut off is called cut off', async () => {
    const { agent, model } = world([[say('{"names":["A'), finish('max_tokens')], [say(json)]])

    await agent.prompt('Who?', { output: names })

    expect(saidIn(model.requests[1])[1]).toContain('It was cut off at its length limit.')
  })

  test('[O3] a message of the user comes before a repair', async () => {
    const { agent, model } = world([
      () => {
        agent.steer('Only one.')
        return [say(misfit)]
      },
      [say(json)],
    ])

    const { output } = await agent.prompt('Who?', { output: names })

    expect(output).toEqual({ names: ['Ada'] })
    expect(saidIn(model.requests[1])).toEqual(['Who?', 'Only one.'])
  })
})

describe('a model without a mechanism of its own', () => {
  function plain(answers: readonly ScriptedAnswer[], options: Partial<AgentOptions> = {}) {
    const model = scriptedModel(...answers)
    return { model, ...watchedAgent({ model, system: 'Be kind.', ...options }) }
  }

  test('[O6] is offered a tool that takes the final answer, of which the log says nothing', async () => {
    const { agent, model, types } = plain([[say('Let me see.'), rawCall('final_answer', json)]])

    const result = await agent.prompt('Who?', { output: names })

    expect(result).toMatchObject({ reason: 'stop', output: { names: ['Ada'] } })
    const [request] = model.requests
    expect(request?.tools).toMatchObject([
      { name: 'final_answer', inputSchema: { type: 'object' } },
    ])
    expect(request?.system).toMatch(/^Be kind\.\n\nWhen you have the answer, call final_answer/)
    expect(types()).not.toContain('tool_execution_start')
    expect(agent.getState().messages[1]?.content).toEqual([
      { type: 'text', text: 'Let me see.' },
      { type: 'text', text: json },
    ])
  })

  const notes = z.object({ note: z.string().optional() })

  test('[O6] [L5] a final answer without input is an empty object, as that of any call is', async () => {
    const { agent } = plain([[say('Nothing to note.'), rawCall('final_answer', '')]])

    expect(await agent.prompt('Notes?', { output: notes })).toMatchObject({
      reason: 'stop',
      output: {},
    })
  })

  test('[O6] one that was cut off before its input is none', async () => {
    const cut = [rawCall('final_answer', ''), finish('max_tokens')]
    const { agent, model } = plain([cut, [rawCall('final_answer', '{"note":"a"}')]])

    const { output } = await agent.prompt('Notes?', { output: notes })

    expect(output).toEqual({ note: 'a' })
    expect(saidIn(model.requests[1])[1]).toContain('It was cut off at its length limit.')
  })

  test('[O6] may answer in plain JSON all the same', async () => {
    const { agent } = plain([[say(json)]])

    expect((await agent.prompt('Who?', { output: names })).output).toEqual({ names: ['Ada'] })
  })

  test('[O6] [I18] calls beside the final answer run first, and the answer is asked for again', async () => {
    const environment = createManualEnvironment()
    const tools = pageTools(environment, { final_answer: () => 'mine' })
    const model = scriptedModel(
      [call('final_answer'), rawCall('final_answer_', json)],
      [rawCall('final_answer_', json)],
    )
    const { agent, eventsOf } = watchedAgent({ model, tools }, environment)

    const { output } = await agent.prompt('Who?', { output: names })

    expect(output).toEqual({ names: ['Ada'] })
    expect(eventsOf('tool_execution_end')).toMatchObject([{ toolName: 'final_answer' }])
  })

  test('[O4] gets its repair as any other', async () => {
    const { agent, model } = plain([
      [rawCall('final_answer', misfit)],
      [rawCall('final_answer', json)],
    ])

    expect((await agent.prompt('Who?', { output: names })).output).toEqual({ names: ['Ada'] })
    expect(saidIn(model.requests[1])).toEqual(['Who?', repair])
  })

  test('[O6] a schema that no provider can be held to is asked for with the tool', async () => {
    const { agent, model } = world([[rawCall('final_answer', '{"a":1}')]])

    const { output } = await agent.prompt('Count.', { output: z.record(z.string(), z.number()) })

    expect(output).toEqual({ a: 1 })
    expect(model.requests[0]).not.toHaveProperty('output')
  })
})

describe('bad input', () => {
  test.for([
    ['no schema', 'names', 'The output must be a schema'],
    ['a list', z.array(z.string()), 'must describe an object'],
    ['no JSON Schema form', z.object({ day: z.date() }), 'has no JSON Schema form'],
    ['no JSON Schema', { type: 'thing' }, 'This is no JSON Schema'],
    ['JSON Schema of a text', { type: 'string' }, 'must describe an object'],
    ['a reference to nowhere', { type: 'object', properties: { a: { $ref: '#/no' } } }, '#/no'],
    ['without end', z.object({ a: z.string().describe('x'.repeat(200_000)) }), '200000 characters'],
  ] as const)('[O7] %s is a TypeError, and nothing has happened', async ([, schema, message]) => {
    const { agent, types } = world([])
    const options: object = { output: schema }

    const asked = agent.prompt('Who?', { ...{ output: {} }, ...options })

    await expect(asked).rejects.toThrow(TypeError)
    await expect(asked).rejects.toThrow(message)
    expect(types()).toEqual([])
  })

  test('[O7] so is a number of repairs that is none', async () => {
    const { agent } = world([])

    const asked = agent.prompt('Who?', { output: names, maxRepairs: -1 })

    await expect(asked).rejects.toThrow(
      'maxRepairs must be a whole number of at least 0; it is -1.',
    )
  })

  test('[O11] a validator that throws ends the run, and its answer can be checked again', async () => {
    let isBroken = true
    const schema = names.refine(() => {
      if (isBroken) throw new Error('The list is not loaded')
      return true
    })
    const { agent, model } = world([[say(json)]])

    const { reason, error } = await agent.prompt('Who?', { output: schema })

    expect(reason).toBe('error')
    expect(error).toEqual({
      kind: 'internal',
      message:
        'The answer could not be checked (The list is not loaded). Continue to have it checked again.',
      retryable: false,
    })
    isBroken = false
    expect((await agent.continue({ output: schema })).output).toEqual({ names: ['Ada'] })
    expect(model.requests).toHaveLength(1)
  })

  test('[O11] so does one that hangs', async () => {
    const schema = names.refine(() => new Promise<boolean>(() => {}))
    const { agent, environment } = world([[say(json)]], { hookTimeoutMs: 100 })

    const { error } = await passTime(environment, agent.prompt('Who?', { output: schema }))

    expect(error?.kind).toBe('internal')
  })
})

describe('what comes between', () => {
  test('[O9] a stop while the answer is written leaves no output', async () => {
    const { agent } = world([[say('{"names":["A'), hold()]])
    const done = agent.prompt('Who?', { output: names })
    await quiet()

    agent.abort()

    const result = await done
    expect(result).toMatchObject({ reason: 'aborted', text: '{"names":["A' })
    expect(result).not.toHaveProperty('output')
  })

  test('[O9] a stop while the answer is checked ends the run; continuing checks it without a request', async () => {
    let let_ = () => {}
    const gate = new Promise<boolean>((resolve) => {
      let_ = () => resolve(true)
    })
    const { agent, model, types } = world([[say(json)]])
    const done = agent.prompt('Who?', { output: names.refine(() => gate) })
    await quiet()

    agent.abort()

    expect((await done).reason).toBe('aborted')
    let_()
    await quiet()
    expect(types()).not.toContain('output_checked')
    const result = await agent.continue({ output: names })
    expect(result).toMatchObject({ reason: 'stop', output: { names: ['Ada'] } })
    expect(model.requests).toHaveLength(1)
  })

  test('[O8] [R2] an attempt that failed counts for nothing, and the next one starts from nothing', async () => {
    const { agent, environment, model, eventsOf } = world([
      [say('{"names":["Not'), fail('network')],
      [say(json)],
    ])
    const partials: unknown[] = []

    const result = await passTime(
      environment,
      agent.prompt('Who?', {
        output: names,
        onPartial: (partial) => {
          partials.push(partial)
          environment.frame()
        },
      }),
      500,
    )

    expect(result).toMatchObject({ reason: 'stop', output: { names: ['Ada'] } })
    expect(model.requests).toHaveLength(2)
    expect(eventsOf('output_checked')).toHaveLength(1)
    expect(JSON.stringify(partials.at(-1) ?? {})).not.toContain('Not')
  })

  test('[O9] a refusal has no output', async () => {
    const { agent } = world([[say(json), finish('refusal', 'No.')]])

    const result = await agent.prompt('Who?', { output: names })

    expect(result.reason).toBe('refusal')
    expect(result).not.toHaveProperty('output')
  })

  test('[O15] regenerating asks the question again, not the repair, and for the same output', async () => {
    const { agent, model } = world([[say(misfit)], [say(json)], [say('{"names":["Bob"]}')]])
    await agent.prompt('Who?', { output: names })

    const { output } = await agent.regenerate({ output: names })

    expect(output).toEqual({ names: ['Bob'] })
    expect(saidIn(model.requests[2])).toEqual(['Who?'])
  })

  test('[O10] a run that goes on after an answer of a person still ends with the output', async () => {
    const { agent, model, eventsOf } = world([[say(misfit)], [say(json)]])
    await agent.prompt('Who?', { output: names, maxRepairs: 0 })

    const again = await agent.continue()

    expect(again.reason).toBe('error')
    expect(eventsOf('agent_start')[1]?.output?.maxRepairs).toBe(0)
    expect(model.requests).toHaveLength(1)
    expect((await agent.prompt('Thanks.')).reason).toBe('stop')
    expect(eventsOf('agent_start')[2]).not.toHaveProperty('output')
  })

  test('[O10] [R7] a call that is retried where the last run left it goes on to its output, from any branch', async () => {
    const environment = createManualEnvironment()
    const model = scriptedModel(
      { structuredOutput: true },
      [call('look')],
      [say(json)],
      [say(json)],
    )
    const tools = pageTools(environment, { look: sleeping(environment, 50) })
    const { agent, eventsOf } = watchedAgent({ model, tools }, environment)
    await passTime(environment, agent.prompt('Who?', { output: names }))
    const answered = agent.getState().messages.at(-1)
    const stopped = agent.retryTool('call_1')
    await quiet()
    agent.abort()
    await passTime(environment, stopped)
    agent.moveHead(answered?.id ?? null)

    await passTime(environment, agent.retryTool('call_1'))

    const [first, , last] = eventsOf('agent_start')
    expect(eventsOf('agent_end')[1]?.reason).toBe('aborted')
    expect(last?.output).toEqual(first?.output)
    expect(agent.getState()).toMatchObject({ lastReason: 'stop', output: 'there' })
  })

  test('[O16] a redaction of the answer removes what the check and the repair say of it', async () => {
    const storage = memoryStorage()
    const secret = JSON.stringify({ names: [], 'the secret': 1 })
    const { agent, eventsOf } = world([[say(secret)], [say(secret)], [say('And done.')]], {
      storage,
    })
    await agent.ready
    await agent.prompt('Who?', {
      output: z.strictObject({ names: z.array(z.string()) }),
      maxRepairs: 1,
    })
    expect(JSON.stringify(eventsOf('agent_end'))).toContain('the secret')
    const answers = agent.getState().messages.filter(({ role }) => role === 'assistant')

    for (const { id } of answers) await agent.redact(id)

    expect(JSON.stringify(await storage.read('session_1'))).not.toContain('the secret')
  })
})

describe('while it is written', () => {
  test('[O8] there is what was written so far, at most once per frame', async () => {
    const { agent, environment } = world([
      [say(JSON.stringify({ names: ['Ada', 'Grace'] })), hold()],
    ])
    const onPartial = vi.fn()
    const done = agent.prompt('Who?', { output: names, onPartial })
    await quiet()
    environment.frame()
    environment.frame()

    expect(onPartial.mock.calls).toEqual([[{ names: ['Ada', 'Grace'] }]])
    agent.abort()
    await done
  })

  test('[O1] [O8] a shorter object after a first one is what is written so far', async () => {
    const draft = JSON.stringify({ names: ['Ada', 'Grace', 'Jean'] })
    const { agent, environment } = world([[say(draft), say(json)]])
    agent.subscribe((event) => {
      if (event.type === 'message_update') environment.frame()
    })
    const onPartial = vi.fn()

    const { output } = await agent.prompt('Who?', { output: names, onPartial })

    expect(output).toEqual({ names: ['Ada'] })
    expect(onPartial).toHaveBeenLastCalledWith(output)
  })

  test('[O8] the end of a long answer is reported, too, though it has hardly grown', async () => {
    const all = { names: Array.from({ length: 1000 }, (_, n) => `Ada ${n}`) }
    const text = JSON.stringify(all)
    const { agent, environment } = world([[say(text.slice(0, -100)), say(text.slice(-100))]])
    agent.subscribe((event) => {
      if (event.type === 'message_update') environment.frame()
    })
    const onPartial = vi.fn()

    const { output } = await agent.prompt('Who?', { output: names, onPartial })

    expect(output).toEqual(all)
    expect(onPartial).toHaveBeenLastCalledWith(all)
  })

  test('[O8] what the callback throws is reported, and changes nothing', async () => {
    const reports = catchReports()
    const error = new Error('My own.')
    const { agent, environment } = world([[say(json), hold()]])
    const onPartial = vi.fn(() => {
      throw error
    })
    const done = agent.prompt('Who?', { output: names, onPartial })
    await quiet()
    environment.frame()
    await quiet()

    expect(onPartial).toHaveBeenCalledOnce()
    expect(reports).toEqual([error])
    agent.abort()
    expect((await done).reason).toBe('aborted')
  })
})
