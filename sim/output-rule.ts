import type { RunResult } from '../packages/core/src/agent/run.ts'
import type { AssistantMessage } from '../packages/core/src/kernel/message.ts'
import type { EventRule } from './retry-rule.ts'
import { answerTexts } from './world/chunks.ts'

/** A check says of each answer what is true of it, and a run with an output ends with an answer that fits. */
export function createOutputRule(): EventRule {
  const fitting = new Map<string, boolean>()
  let asked = false
  let last = ''
  return (event) => {
    if (event.agentId !== undefined) return null
    switch (event.type) {
      case 'agent_start':
        asked = event.output !== undefined
        break
      case 'message_end':
        if (event.message.role !== 'assistant' || event.excluded) break
        last = event.message.id
        fitting.set(last, fits(event.message))
        break
      case 'message_redacted':
        fitting.set(event.messageId, false)
        break
      case 'output_checked': {
        const isFit = fitting.get(event.messageId)
        if (event.failed || isFit === undefined || isFit === (event.problem === undefined)) break
        return `${event.messageId} ${isFit ? 'fits' : 'does not fit'}, and the check says otherwise`
      }
      case 'agent_end':
        if (asked && event.reason === 'stop' && fitting.get(last) === false)
          return `the run ends with ${last}, which does not fit`
        break
      default:
    }
    return null
  }
}

function fits({ content }: AssistantMessage): boolean {
  const texts = content.map((part) => (part.type === 'text' ? part.text : ''))
  const json = texts.findLastIndex((text) => text.startsWith('{'))
  return json >= 0 && texts.slice(json).join('').trim() === answerTexts.fits
}

/** What is wrong with the result of a prompt that asked for an output; `null` if nothing is. */
export function problemOfResult(result: RunResult): string | null {
  const has = JSON.stringify(result.output)
  if (result.reason !== 'stop') return has === undefined ? null : `${result.reason} gives ${has}`
  return has === answerTexts.fits ? null : `the output is ${has}`
}
