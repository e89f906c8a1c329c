// What it does. Each call gets a worker of its own, so it may take as long as it likes.
import { implement, serveTools } from '@offthread/core/worker'
import { longestWord } from './02-own-tool.tool.ts'

serveTools([
  implement(longestWord, ({ text }, { onProgress }) => {
    const words = text.split(/\s+/)
    let longest = ''
    for (const [done, word] of words.entries()) {
      if (word.length > longest.length) longest = word
      onProgress({ value: done + 1, total: words.length })
    }
    return { word: longest }
  }),
])
