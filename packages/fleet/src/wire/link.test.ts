import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createLink, type Link, maxKeptBytes, payloadProblem } from './link.ts'
import { maxMessageBytes, packMessage, unpackMessage } from './pack.ts'

type Side = 'page' | 'thread'

/** Both sides, and the frames on their way. */
function line({ maxPayload = 1024 }: { readonly maxPayload?: number } = {}) {
  const said = { page: [] as unknown[], thread: [] as unknown[] }
  const onTheirWay: { readonly to: Side; readonly frame: Uint8Array }[] = []
  const failed = vi.fn<(error: unknown) => void>()
  let time = 0
  const side = (own: Side, to: Side): Link =>
    createLink({
      publish: (frame) => void onTheirWay.push({ to, frame }),
      maxPayload,
      failed,
      closed: () => said[own].push('closed'),
      broken: (why) => said[own].push(why),
      answers: own === 'page',
      pauseMs: 1000,
      now: () => time,
    })
  const links = { page: side('page', 'thread'), thread: side('thread', 'page') }
  const read = (to: Side, frame: Uint8Array) => {
    const bytes = links[to].receive(frame)
    if (bytes) said[to].push(unpackMessage(bytes))
  }
  return {
    said,
    onTheirWay,
    links,
    failed,
    read,
    pass: (ms: number) => {
      time += ms
    },
    send: (from: Side, message: unknown) => links[from].send(packMessage(message)),
    /** Lets frames arrive until none is on its way; those that are lost never do. */
    deliver: (isLost: () => boolean = () => false) => {
      for (;;) {
        const next = onTheirWay.shift()
        if (!next) return
        if (!isLost()) read(next.to, next.frame)
      }
    },
  }
}

test('[F6] a message of any size arrives over a server that takes small ones', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 5000 })), fc.nat(3000), (texts, more) => {
      const { onTheirWay, send, said, deliver } = line({ maxPayload: 1024 + more })
      for (const text of texts) send('thread', { text })
      expect(onTheirWay.every(({ frame }) => frame.length <= 1024 + more)).toBe(true)

      deliver()

      expect(said.page).toEqual(texts.map((text) => ({ text })))
    }),
  )
})

test('[F1] messages keep their order, though a Blob has to be read', async () => {
  const { onTheirWay, send, said, deliver } = line()
  send('page', { n: 1, blob: new Blob(['a']) })
  send('page', { n: 2 })
  await expect.poll(() => onTheirWay).toHaveLength(2)
  send('page', { n: 3 })

  deliver()

  expect(said.thread).toEqual([{ n: 1, blob: expect.any(Blob) }, { n: 2 }, { n: 3 }])
})

test('[F3] [F4] whatever frames are lost, each message arrives once and in its order', () => {
  const step = fc.record({
    from: fc.constantFrom<Side>('page', 'thread'),
    size: fc.constantFrom(1, 3000),
    isLost: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    isBeat: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const { links, send, said, deliver, pass } = line()
      for (const [n, { from, size, isLost, isBeat }] of steps.entries()) {
        send(from, { n, text: 'x'.repeat(size) })
        if (isBeat) links.thread.beat()
        deliver(() => isLost.pop() ?? false)
        pass(500)
      }
      // Then the network is there again.
      for (let beats = 0; beats < 3; beats += 1) {
        pass(1000)
        links.thread.beat()
        deliver()
      }

      const sentBy = (side: Side) =>
        steps.flatMap(({ from, size }, n) => (from === side ? [{ n, text: 'x'.repeat(size) }] : []))
      expect(said).toEqual({ page: sentBy('thread'), thread: sentBy('page') })
    }),
  )
})

const million = 1_000_000
const megabyteFrames = { maxPayload: million }

test('[F11] at most 8 MB are on their way that the other side has not acknowledged, and no beat is waited for', () => {
  const { onTheirWay, send, said, deliver, links } = line(megabyteFrames)
  const messages = [1, 2, 3, 4].map((n) => ({ n, text: 'x'.repeat(7 * million) }))
  for (const message of messages) send('page', message)
  const size = onTheirWay.reduce((sum, { frame }) => sum + frame.length, 0)
  expect(size).toBeGreaterThan(6 * million)
  expect(size).toBeLessThanOrEqual(8 * million)
  let published = false
  links.page.whenPublished(() => {
    published = true
  })
  expect(published).toBe(false)

  deliver()

  expect(said.thread).toEqual(messages)
  expect(published).toBe(true)
})

test('[F4] [F11] what still waits is not taken for lost', () => {
  const { onTheirWay, send, deliver, links } = line(megabyteFrames)
  const publish = vi.spyOn(onTheirWay, 'push')
  for (let n = 0; n < 3; n += 1) send('thread', { text: 'x'.repeat(7 * million) })

  links.thread.beat()
  deliver()
  links.thread.beat()
  deliver()

  // 7 whole pieces and a small one each, 2 beats, an answer to each beat and to each 2 MB.
  expect(publish).toHaveBeenCalledTimes(3 * 8 + 2 * 2 + 3 * 3 + 1)
})

test('[F11] a frame that the server takes is sent, however big', () => {
  const { send, said, deliver } = line({ maxPayload: 64 * million })
  const file = new ArrayBuffer(20 * million)
  send('thread', { file })
  send('thread', { n: 2, file })

  deliver()

  expect(said.page).toEqual([{ file }, { n: 2, file }])
})

test('[F11] there is room for 64 MB that are not acknowledged, Blobs that are still read among them', async () => {
  const { links, deliver } = line(megabyteFrames)
  const thirtyMillion = new ArrayBuffer(30 * million)
  const big = packMessage({ file: thirtyMillion })
  expect(maxKeptBytes).toBe(64 * million)

  links.page.send(packMessage({ file: new Blob([thirtyMillion]) }))
  links.page.send(big)
  expect(links.page.hasRoom(big)).toBe(false)
  expect(links.page.hasRoom(packMessage({}))).toBe(true)

  await new Promise<void>((resolve) => {
    links.page.whenPublished(resolve)
    const timer = setInterval(() => {
      deliver()
      if (links.page.hasRoom(big)) clearInterval(timer)
    })
  })
  expect(links.page.hasRoom(big)).toBe(true)
})

test('[F3] [F4] [F11] of big messages each arrives once and in its order as well, whatever frames are lost', () => {
  const step = fc.record({
    size: fc.constantFrom(1, 3 * million),
    isLost: fc.array(fc.boolean(), { maxLength: 12 }),
    isBeat: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 4, maxLength: 10 }), (steps) => {
      const { links, send, said, deliver, pass } = line(megabyteFrames)
      for (const [n, { size, isLost, isBeat }] of steps.entries()) {
        send('thread', { n, text: 'x'.repeat(size) })
        if (isBeat) links.thread.beat()
        deliver(() => isLost.pop() ?? false)
        pass(500)
      }
      for (let beats = 0; beats < 3; beats += 1) {
        pass(1000)
        links.thread.beat()
        deliver()
      }

      expect(said.page).toEqual(steps.map(({ size }, n) => ({ n, text: 'x'.repeat(size) })))
    }),
    { numRuns: 20 },
  )
})

test('[F4] without a loss nothing is sent twice', () => {
  const { onTheirWay, links, send, deliver } = line()
  const publish = vi.spyOn(onTheirWay, 'push')
  for (let n = 0; n < 5; n += 1) {
    send('thread', { n })
    send('page', { n })
    links.thread.beat()
    // It is on its way when the answer to the beat comes.
    send('thread', { n })
    deliver()
  }

  // With an answer to each beat.
  expect(publish).toHaveBeenCalledTimes(5 * 5)
})

test('[F4] what has arrived is not sent again with what was lost', () => {
  const { onTheirWay, links, send, said, deliver } = line()
  for (let n = 0; n < 9; n += 1) send('thread', { n })
  links.thread.beat()
  deliver()
  send('thread', { n: 9 })
  onTheirWay.pop()
  const publish = vi.spyOn(onTheirWay, 'push')

  links.thread.beat()
  deliver()

  expect(said.page).toHaveLength(10)
  // The beat, its answer, and the message.
  expect(publish).toHaveBeenCalledTimes(3)
})

test('[F10] what is kept is sent again once in a while, however often the other side asks for it', () => {
  const { onTheirWay, send, read, pass } = line()
  for (let n = 0; n < 10; n += 1) send('page', { n })
  const askForAll = Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)

  for (let n = 0; n < 1000; n += 1) read('page', askForAll)

  // An answer to each, and all once more.
  expect(onTheirWay).toHaveLength(10 + 1000 + 10)
  pass(1000)
  read('page', askForAll)
  expect(onTheirWay).toHaveLength(10 + 1000 + 10 + 1 + 10)
})

test('[F10] what is no frame of the protocol is said, and pieces without an end are not collected for ever', () => {
  const { read, said } = line()
  read('page', new Uint8Array(4))
  read('page', Uint8Array.of(9, 0, 0, 0, 0))
  // A state that is too short, one that awaits what was never sent, and a small piece of a message.
  read('page', Uint8Array.of(2, 0, 0, 0, 0))
  read('page', Uint8Array.of(2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0))
  read('page', new Uint8Array(10))
  const piece = new Uint8Array(5 + maxMessageBytes)
  read('page', piece)
  new DataView(piece.buffer).setUint32(1, 1)
  read('page', piece)

  expect(said.page).toEqual([...Array(5).fill('unreadable'), 'tooLarge'])
})

test('after its end a side sends nothing of what is still read', async () => {
  const { onTheirWay, links, send, said, deliver } = line()
  send('page', { blob: new Blob(['a']) })
  links.page.close()
  // It would be read by then.
  await new Blob(['a']).arrayBuffer()
  await new Promise((resolve) => setTimeout(resolve))
  expect(onTheirWay).toHaveLength(1)

  deliver()

  expect(said.thread).toEqual(['closed'])
})

test('[F7] what the connection throws is passed on', () => {
  const failed = vi.fn<(error: unknown) => void>()
  const nothing = () => {}
  const publish = () => {
    throw new Error('closed connection')
  }

  createLink({
    ...{
      publish,
      maxPayload: 1024,
      failed,
      closed: nothing,
      broken: nothing,
      answers: true,
      pauseMs: 1000,
      now: () => 0,
    },
  }).send(packMessage({}))

  expect(failed).toHaveBeenCalledExactlyOnceWith(new Error('closed connection'))
})

test('[F6] a server that takes too little is named with what to change', () => {
  expect(payloadProblem(1023)).toBe(
    'The NATS server takes messages of at most 1023 bytes: raise its max_payload to 1024 or more.',
  )
  expect(payloadProblem(1024)).toBeUndefined()
})
