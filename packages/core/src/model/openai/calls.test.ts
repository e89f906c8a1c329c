import { describe, expect, test } from 'vitest'
import { streamed } from '../http/streamed.fixtures.ts'
import { grammarErrors } from '../model.contract.ts'
import { collect, failureOf, question, read, scripted, summaryOf } from './ask.fixtures.ts'
import { callsChunk, chunk, type RawEvent } from './fake.fixtures.ts'

const kyiv = '{"city":"Kyiv"}'
const lima = '{"city":"Lima"}'

/** An entry of `tool_calls`; what is undefined is missing. */
function entry(fields: { index?: unknown; id?: unknown; type?: unknown }, called?: object): object {
  return JSON.parse(JSON.stringify({ ...fields, function: called })) as object
}

describe('calls', () => {
  test.each<[string, readonly RawEvent[], readonly string[]]>([
    [
      'with an id on the first delta only, or empty or null later',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: '' })),
        callsChunk(entry({ index: 0, id: '' }, { name: '', arguments: '{"city":' })),
        callsChunk(entry({ index: 0, id: null }, { name: null, arguments: '"Kyiv"}' })),
      ],
      [`clock a: ${kyiv}`],
    ],
    [
      'with the id on every delta',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: '{"city":' })),
        callsChunk(entry({ index: 0, id: 'a' }, { arguments: '"Kyiv"}' })),
      ],
      [`clock a: ${kyiv}`],
    ],
    [
      'with another id on every delta',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: '{"city":' })),
        callsChunk(entry({ index: 0, id: 'b' }, { arguments: '"Kyiv"}' })),
      ],
      [`clock a: ${kyiv}`],
    ],
    [
      'without any id',
      [
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '' })),
        callsChunk(entry({ index: 0 }, { arguments: kyiv })),
        callsChunk(entry({ index: 1 }, { name: 'clock', arguments: lima })),
      ],
      [`clock: ${kyiv}`, `clock: ${lima}`],
    ],
    [
      'numbered from 1, with gaps',
      [
        callsChunk(entry({ index: 1, id: 'a' }, { name: 'clock', arguments: '' })),
        callsChunk(entry({ index: 1 }, { arguments: kyiv })),
        callsChunk(entry({ index: 4, id: 'b' }, { name: 'clock', arguments: lima })),
      ],
      [`clock a: ${kyiv}`, `clock b: ${lima}`],
    ],
    [
      'numbered by texts',
      [
        callsChunk(entry({ index: '0', id: 'a' }, { name: 'clock', arguments: '{"city":' })),
        callsChunk(entry({ index: '0' }, { arguments: '"Kyiv"}' })),
      ],
      [`clock a: ${kyiv}`],
    ],
    [
      'that take turns',
      [
        callsChunk(
          entry({ index: 0, id: 'a' }, { name: 'clock', arguments: '' }),
          entry({ index: 1, id: 'b' }, { name: 'clock', arguments: '' }),
        ),
        callsChunk(entry({ index: 1 }, { arguments: '{"city":' })),
        callsChunk(entry({ index: 0 }, { arguments: '{"city":' })),
        callsChunk(
          entry({ index: 1 }, { arguments: '"Lima"}' }),
          entry({ index: 0 }, { arguments: '"Kyiv"}' }),
        ),
      ],
      [`clock a: ${kyiv}`, `clock b: ${lima}`],
    ],
    [
      'that take turns and differ in their ids alone',
      [
        callsChunk(
          entry({ id: 'a' }, { name: 'clock', arguments: '' }),
          entry({ id: 'b' }, { name: 'clock', arguments: '' }),
        ),
        callsChunk(entry({ id: 'a' }, { arguments: '{"city":' })),
        callsChunk(entry({ id: 'b' }, { arguments: lima })),
        callsChunk(entry({ id: 'a' }, { arguments: '"Kyiv"}' })),
      ],
      [`clock a: ${kyiv}`, `clock b: ${lima}`],
    ],
    [
      'all numbered 0, with ids',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: kyiv })),
        callsChunk(entry({ index: 0, id: 'b' }, { name: 'clock', arguments: '' })),
        callsChunk(entry({ index: 0, id: '' }, { arguments: lima })),
      ],
      [`clock a: ${kyiv}`, `clock b: ${lima}`],
    ],
    [
      'all numbered 0, without ids',
      [
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: kyiv })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: lima })),
      ],
      [`clock: ${kyiv}`, `clock: ${lima}`],
    ],
    [
      'without numbers or ids, whole',
      [
        callsChunk(
          entry({}, { name: 'clock', arguments: kyiv }),
          entry({}, { name: 'clock', arguments: lima }),
        ),
        callsChunk(entry({}, { name: 'clock', arguments: kyiv })),
      ],
      [`clock: ${kyiv}`, `clock: ${lima}`, `clock: ${kyiv}`],
    ],
    [
      'without numbers, ids or arguments',
      [callsChunk(entry({}, { name: 'clock' }), entry({}, { name: 'clock', arguments: '' }))],
      ['clock: ', 'clock: '],
    ],
    [
      'without numbers or ids, in pieces',
      [
        callsChunk(entry({}, { name: 'clock', arguments: '' })),
        callsChunk(entry({}, { arguments: '{"city":' })),
        callsChunk(entry({}, { arguments: '"Kyiv"}' })),
        callsChunk(entry({}, { name: 'other', arguments: '' })),
        callsChunk(entry({}, { arguments: lima })),
      ],
      [`clock: ${kyiv}`, `other: ${lima}`],
    ],
    [
      'with the same id and other numbers',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: kyiv })),
        callsChunk(entry({ index: 1, id: 'a' }, { name: 'clock', arguments: lima })),
      ],
      [`clock a: ${kyiv}`, `clock a: ${lima}`],
    ],
    [
      'with the name in every delta, also after the last',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: '' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '{"a":[' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '{},{' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '}]}' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '' })),
        callsChunk(entry({ index: 0 }, { name: 'clock' })),
      ],
      ['clock a: {"a":[{},{}]}'],
    ],
    [
      'with the name and another id in every delta',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: '{"a":[' })),
        callsChunk(entry({ index: 0, id: 'b' }, { name: 'clock', arguments: '{},{' })),
        callsChunk(entry({ index: 0, id: 'c' }, { name: 'clock', arguments: '}]}' })),
        callsChunk(entry({ index: 0, id: 'd' }, { name: 'clock', arguments: kyiv })),
        callsChunk(entry({ index: 1, id: 'x' }, { name: 'clock', arguments: '' })),
        callsChunk(entry({ index: 1, id: 'y' }, { name: 'clock', arguments: kyiv })),
        callsChunk(entry({ id: 'e' }, { name: 'clock', arguments: '{"city":' })),
        callsChunk(entry({ id: 'f' }, { name: 'clock', arguments: '"Lima"}' })),
      ],
      ['clock a: {"a":[{},{}]}', `clock d: ${kyiv}`, `clock x: ${kyiv}`, `clock e: ${lima}`],
    ],
    [
      'with the name in every delta, and brackets in texts',
      [
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '{"a":"{}' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '{}\\"}' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '{}\\' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '\\"} ' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: ' {"b":1}' })),
      ],
      ['clock: {"a":"{}{}\\"}{}\\\\"} ', 'clock:  {"b":1}'],
    ],
    [
      'with a name in pieces',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clo' })),
        callsChunk(entry({ index: 0 }, { name: 'ck' })),
        callsChunk(entry({ index: 0 }, { arguments: kyiv })),
        callsChunk(entry({ index: 1 }, { name: 'c' })),
        callsChunk(entry({ index: 1 }, { name: 'lo' })),
        callsChunk(entry({ index: 1 }, { name: 'ck', arguments: lima })),
      ],
      [`clock a: ${kyiv}`, `clock: ${lima}`],
    ],
    [
      'with more of the name each time',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clo' })),
        callsChunk(entry({ index: 0 }, { name: 'clock' })),
        callsChunk(entry({ index: 0 }, { arguments: kyiv })),
      ],
      [`clock a: ${kyiv}`],
    ],
    [
      'with the name after the arguments',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { arguments: '{"city":' })),
        callsChunk(entry({ index: 0 }, { name: 'clock', arguments: '"Kyiv"}' })),
      ],
      [`clock a: ${kyiv}`],
    ],
    [
      'without arguments, in order',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock' })),
        callsChunk(entry({ index: 1, id: 'b' }, { name: 'clock', arguments: null })),
        callsChunk(entry({ index: 2, id: 'c' }, { name: 'clock', arguments: lima })),
        callsChunk(entry({ index: 3, id: 'd' }, { name: 'clock', arguments: '' })),
      ],
      ['clock a: ', 'clock b: ', `clock c: ${lima}`, 'clock d: '],
    ],
    [
      'whose arguments are an object',
      [
        callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: { city: 'Kyiv' } })),
        callsChunk(entry({ id: 'b' }, { name: 'clock', arguments: {} })),
      ],
      [`clock a: ${kyiv}`, 'clock b: {}'],
    ],
    [
      'whose arguments are a number',
      [callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: 7 }))],
      ['clock a: 7'],
    ],
    [
      'whose arguments are no JSON',
      [callsChunk(entry({ index: 0, id: 'a' }, { name: 'clock', arguments: '{"city":Kyiv' }))],
      ['clock a: {"city":Kyiv'],
    ],
    [
      'of a tool that was not offered',
      [callsChunk(entry({ index: 0, id: 'a' }, { name: 'rocket', arguments: '{}' }))],
      ['rocket a: {}'],
    ],
    [
      'in the old form',
      [
        chunk({ function_call: { name: 'clock', arguments: '' } }),
        chunk({ function_call: { arguments: '{"city":' } }),
        chunk({ function_call: { arguments: '"Kyiv"}' } }),
      ],
      [`clock: ${kyiv}`],
    ],
    ['that are no calls', [callsChunk(), chunk({ tool_calls: null, function_call: null })], []],
  ])('%s', async (_, events, expected) => {
    const chunks = await read([...events, chunk({}, 'tool_calls')])

    expect(grammarErrors(chunks)).toEqual([])
    expect(summaryOf(chunks)).toEqual(expected)
    expect(chunks.at(-1)).toMatchObject({ stopReason: expected.length > 0 ? 'tool_use' : 'stop' })
  })

  test('whose arguments are an object too deep to be written as text are garbled', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const delta = `{"tool_calls":[{"function":{"name":"clock","arguments":${deep}}}]}`
    const text = `{"choices":[{"index":0,"delta":${delta},"finish_reason":null}]}`
    const reading = collect(
      scripted(() => streamed([new TextEncoder().encode(`data: ${text}\n\n`)])),
    )

    expect(await failureOf(reading)).toMatchObject({ kind: 'protocol', retryable: true })
  })

  test('of tools whose names begin alike keep their names', async () => {
    const tools = ['get', 'get_time', 'time'].map((name) => ({
      name,
      description: '',
      inputSchema: {},
    }))
    const names = ['get', '_time']
    const chunks = await read(
      [
        ...names.map((name) => callsChunk(entry({ index: 0 }, { name }))),
        callsChunk(entry({ index: 1 }, { name: 'time' })),
        callsChunk(entry({ index: 1 }, { name: 'time', arguments: '{}' })),
        chunk({}, 'stop'),
      ],
      {},
      { ...question, tools },
    )

    expect(summaryOf(chunks)).toEqual(['get_time: ', 'time: {}'])
  })
})
