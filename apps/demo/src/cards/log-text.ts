import type { LogLine } from '@offthread/core'
import { cleanText } from '../text/clean-text.ts'

/** Neighbouring lines that look the same, as one text. */
export interface LogRun {
  readonly tone: 'plain' | 'warn' | 'error'
  readonly text: string
}

/** A log as few texts: a tool that writes thousands of lines a second must not cost an element for each. */
export function toLogRuns(lines: readonly LogLine[]): readonly LogRun[] {
  const runs: LogRun[] = []
  for (const line of lines) {
    const tone = line.level === 'warn' || line.level === 'error' ? line.level : 'plain'
    const text = `${(line.t / 1000).toFixed(2).padStart(7)}  ${wordFor(tone)}${cleanText(line.text)}\n`
    const last = runs.at(-1)
    if (last?.tone === tone) runs[runs.length - 1] = { tone, text: last.text + text }
    else runs.push({ tone, text })
  }
  return runs
}

function wordFor(tone: LogRun['tone']): string {
  return tone === 'plain' ? '' : `${tone}: `
}
