import { type Fields, isFields, isList } from '../strict-json.fixtures.ts'
import { type Judge, report } from './strict-rules.fixtures.ts'

/** Every call is answered once, in the next message, first thing there, in call order. */
export function judgePairs(body: Fields, judge: Judge): void {
  const messages = isList(body['messages']) ? body['messages'] : []
  const seen = new Set<string>()
  let hasToolBlock = false
  let open: readonly string[] = []
  for (let index = 0; index < messages.length; index += 1) {
    judge.message = index
    const message = messages[index]
    const content = isFields(message) ? message['content'] : undefined
    const blocks = isList(content) ? content : []
    const results = idsOf(blocks, 'tool_result', 'tool_use_id')
    if (results.length > 0 || open.length > 0) judgeAnswers(open, results, judge)
    if (results.length > 0) judgePlaces(blocks, results.length, judge)
    open = idsOf(blocks, 'tool_use', 'id')
    hasToolBlock ||= open.length > 0 || results.length > 0
    for (const id of open) {
      if (seen.has(id)) report(judge, 'id_unique', id)
      seen.add(id)
    }
  }
  for (const id of open) report(judge, 'call_unanswered', id)
  judge.message = -1
  if (hasToolBlock && body['tools'] === undefined) report(judge, 'tools_defined')
}

function judgeAnswers(open: readonly string[], results: readonly string[], judge: Judge): void {
  if (open.length === results.length && open.every((id, index) => id === results[index])) return
  const given = new Set<string>()
  for (const id of results) {
    if (!open.includes(id)) report(judge, 'result_orphan', id)
    else if (given.has(id)) report(judge, 'result_twice', id)
    given.add(id)
  }
  for (const id of open) if (!given.has(id)) report(judge, 'call_unanswered', id)
  const wanted = open.filter((id) => given.has(id))
  const got = [...given].filter((id) => open.includes(id))
  if (got.some((id, index) => id !== wanted[index])) report(judge, 'results_order')
}

/** `count` results come first, and of ours there is nothing after them. */
function judgePlaces(blocks: readonly unknown[], count: number, judge: Judge): void {
  const { userTexts } = judge.knowledge
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index]
    const type = isFields(block) ? block['type'] : undefined
    if (index < count && type !== 'tool_result') report(judge, 'results_first')
    if (!userTexts || !isFields(block) || type !== 'text') continue
    if (!userTexts.has(String(block['text']))) report(judge, 'results_text')
  }
}

/** What the vendor does itself has its result in the same answer or in a later one. */
export function judgeOwnPairs(body: Fields, judge: Judge): void {
  const messages = isList(body['messages']) ? body['messages'] : []
  const answers = messages.map((message) => {
    const content = isFields(message) ? message['content'] : undefined
    return isList(content) ? content : []
  })
  const blocks = answers.flat()
  const calls = new Set(idsOf(blocks, 'server_tool_use', 'id'))
  const results = new Set(idsOf(blocks, 'web_search_tool_result', 'tool_use_id'))
  for (const id of results) if (!calls.has(id)) report(judge, 'own_orphan', id)
  const last = answers.findLast((content) => idsOf(content, 'tool_result', 'type').length === 0)
  const awaited = new Set(idsOf(last ?? [], 'server_tool_use', 'id'))
  for (const id of calls) {
    if (!results.has(id) && !awaited.has(id)) report(judge, 'own_unanswered', id)
  }
}

function idsOf(blocks: readonly unknown[], type: string, key: string): readonly string[] {
  const ids: string[] = []
  for (const block of blocks) {
    if (isFields(block) && block['type'] === type) ids.push(String(block[key]))
  }
  return ids
}
