import { describe, expect, test, vi } from 'vitest'
import { countPrimes } from '../tools/fixtures/tools.fixtures.ts'
import { fakeClock } from './fake-clock.ts'
import { fakeWorkers } from './fake-workers.ts'
import { call, fail, finish, hold, rawCall, say, scriptedModel, think, uses } from './scripted.ts'
import { transcriptProblems } from './strict-transcript.ts'
import { testAgent } from './test-agent.ts'

/** As in a test in plain JavaScript. */
function untyped(make: unknown, ...given: readonly unknown[]): unknown {
  return typeof make === 'function' ? Reflect.apply(make, undefined, given) : undefined
}

describe('what is no part or no script says so where it is made', () => {
  test.for([
    [say, [], 'say() takes a text, and got undefined.'],
    [say, [3], 'say() takes a text, and got 3.'],
    [think, [['a']], 'think() takes a text, and got a list.'],
    [call, [], 'call() takes the name of a tool, and got undefined.'],
    [call, [countPrimes, { n: 1 }], 'call() takes the name of a tool, and got an object.'],
    [rawCall, ['count', { n: 1 }], 'The input of rawCall() takes a text, and got an object.'],
    [fail, ['overload'], /fail\(\) takes a kind of RunError \(auth, .*\), and got "overload"\./],
    [finish, ['length'], /finish\(\) takes a reason \(stop, .*\), and got "length"\./],
    [uses, [{ costs: 2 }], /uses\(\) takes figures of Usage \(inputTokens, .*, and got "costs"\./],
    [scriptedModel, ['Hello.'], /Answer 1 of the script is "Hello\.", and no list of parts/],
    [scriptedModel, [say('a')], /Answer 1 of the script is an object, and no list of parts/],
    [scriptedModel, [[say('a')], say('b')], /Answer 2 of the script is an object/],
    [scriptedModel, [['Hello.']], /Answer 1 of the script has "Hello\." in it, and no part/],
    [scriptedModel, [[[say('a')]]], /Answer 1 of the script has a list in it, and no part/],
    [scriptedModel, [[undefined]], /Answer 1 of the script has undefined in it, and no part/],
    [scriptedModel, [{ reportCost: true }, [say('a')]], /Answer 1 of the script is an object/],
    [fakeWorkers, [countPrimes, { clock: fakeClock() }], /takes a list of tools, and the clock/],
    [fakeWorkers, [[countPrimes]], /takes a list of tools, and the clock of the agent/],
    [testAgent, [], /testAgent takes the options of an agent/],
    [testAgent, [{}], /An agent needs a model/],
    [testAgent, [{ model: scriptedModel(), clock: fakeClock() }], /The clock stands in an object/],
    [testAgent, [{ model: scriptedModel() }, fakeClock()], /The clock stands in an object of its/],
  ] as const)('%o %j', ([make, given, message]) => {
    expect(() => untyped(make, ...given)).toThrow(message)
    expect(() => untyped(make, ...given)).toThrow(TypeError)
  })

  test.for([
    [(): string => 'Hello.', /Answer 1 of the script is "Hello\.", and no list of parts/],
    [async () => [say('a')], /Answer 1 of the script is a promise: its function has to return/],
  ] as const)('an answer that a function makes: %o', async ([make, message]) => {
    const model = untyped(scriptedModel, make)

    const { agent } = testAgent({ model: Object(model) })

    expect(await agent.prompt('Hi.')).toMatchObject({
      reason: 'error',
      error: { kind: 'internal', message: expect.stringMatching(message) },
    })
  })
})

test('time passes for nothing no longer than it takes to see that', async () => {
  const one = testAgent({ model: scriptedModel([hold()]) })
  const other = testAgent({ model: scriptedModel([hold()]) })
  const advance = vi.spyOn(one.clock, 'advance')

  const passed = one.passTime(other.agent.prompt('Hi.'))

  await expect(passed).rejects.toThrow(/no timer is left on this clock. It waits for another clock/)
  expect(advance.mock.calls.length).toBeLessThan(1000)
})

test.for([
  [undefined, /^\[M12\] The history is no list of messages\.$/],
  [[{ role: 'user' }], /^\[M12\] Message 0 of the history has no role/],
  [[{ role: 'user', content: [{ type: 'text', text: 'a' }] }, 3], /^\[M12\] Message 1 /],
  [[{ role: 'nurse', content: [] }], /^\[M12\] Message 0 /],
  [[{ role: 'user', content: [null] }], /^\[M12\] Message 0 /],
  [[{ role: 'user', content: 'Hi.' }], /^\[M12\] Message 0 /],
] as const)('[M12] [I28] a history that is none is a problem: %j', ([history, problem]) => {
  const problems: unknown = untyped(transcriptProblems, history)

  expect(problems).toHaveLength(1)
  expect(String(problems)).toMatch(problem)
})
