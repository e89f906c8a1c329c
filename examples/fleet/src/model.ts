// Who answers: a script, so that the example needs no key. It reads the conversation, so any device can go on with it.
import { type Message, type Model, textOf } from '@offthread/core'
import { call, type ScriptedPart, say, scriptedModel } from '@offthread/core/testing'

export const model: Model = {
  identity: { provider: 'scripted', id: 'scripted' },
  async *stream(request, options) {
    const script = scriptedModel([answerTo(request.messages.at(-1))])
    for await (const chunk of script.stream(request, options)) {
      yield chunk
      // At a speed at which it can be watched, also on the other device.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
}

function answerTo(message: Message | undefined): ScriptedPart {
  const text = message ? textOf(message.content) : ''
  if (message?.role === 'toolResult') return say(`The tool says: ${text}`)
  const [, bound] = /below a (million|billion)/.exec(text) ?? []
  if (bound) return call('count_primes', { n: bound === 'million' ? 1_000_000 : 1_000_000_000 })
  return say(Array.from({ length: 1000 }, (_, index) => index + 1).join(' '))
}
