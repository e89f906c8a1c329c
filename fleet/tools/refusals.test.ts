import { once } from 'node:events'
import { connect } from '@nats-io/transport-node'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { leaveTrace } from '../../packages/fleet/src/fixtures/deeds.fixtures.ts'
import { inFleet } from '../../packages/fleet/src/index.ts'
import { startNats } from '../start-nats.mjs'
import { askForCalls } from './ask-agent.ts'
import { buildFleet } from './fleet-process.ts'

const fleets = await buildFleet()
const users = 'authorization { users: [{ user: ada, password: secret }] }'
const server = await startNats({ jetStream: false, config: users })
afterAll(server.stop)
const signedIn = { servers: server.url, user: 'ada', pass: 'secret' }
const connection = await connect(signedIn)
afterAll(() => connection.close())
/** A machine with other work takes its time. */
const patienceMs = 20_000
const env = { NATS_USER: 'ada', NATS_PASSWORD: 'secret' }

test('[F7] without a process, check and card say what to start', async () => {
  const host = inFleet([leaveTrace], connection, { fleet: 'empty' })
  const start = 'Start one: offthread-tools serve ./tools.worker.js --nats nats://… --fleet empty'

  await expect(host.check()).rejects.toMatchObject({
    name: 'FleetError',
    kind: 'no_process',
    message: expect.stringContaining(start),
  })
  const [card] = await askForCalls({ host }, [{ file: '', how: '' }]).ended()
  expect(card).toMatchObject({ status: 'failed', errorKind: 'crashed', mayHaveRun: false })
  expect(JSON.stringify(card?.result?.content)).toContain(start)
})

test('[F7] wrong credentials are a sentence in the page, and in the process', async () => {
  const wrong = () => connect({ ...signedIn, pass: 'wrong' })
  const args = ['serve', fleets.script('deeds'), '--nats', server.url]

  await expect(inFleet([leaveTrace], wrong).check()).rejects.toMatchObject({
    kind: 'connection',
    message: expect.stringMatching(/Authorization Violation.*Check its address/i),
  })
  const { code, printed } = await fleets.run(args, { ...env, NATS_PASSWORD: 'wrong' })
  expect(code).toBe(1)
  expect(printed).toMatch(/Authorization Violation.*Check its address/i)
})

test('[F7] a server that is not there is a sentence', async () => {
  const nowhere = () => connect({ servers: 'nats://127.0.0.1:9' })

  await expect(inFleet([leaveTrace], nowhere).check()).rejects.toMatchObject({ kind: 'connection' })
})

test('[F7] a connection that ends for good ends its calls, and the next call opens another', async () => {
  const { child } = await fleets.start({ ...deeds, fleet: 'cut' }, { env })
  expect(child.exitCode).toBeNull()
  const opened: Awaited<ReturnType<typeof connect>>[] = []
  const open = async () => {
    const one = await connect(signedIn)
    opened.push(one)
    onTestFinished(() => one.close())
    return one
  }
  const host = inFleet([leaveTrace], open, { fleet: 'cut', heartbeatMs })
  const { ended, shown } = askForCalls({ host }, [{ file: '/dev/null', how: 'wait' }])
  await shown(({ partial }) => partial !== undefined)

  await opened[0]?.close()

  expect(await ended()).toMatchObject([{ errorKind: 'crashed', mayHaveRun: true }])
  await host.check()
  expect(opened).toHaveLength(2)
})

test('[F8] a process of another version is refused in a sentence', async () => {
  const old = { version: 0, type: 'claim', process: 'old-1', processId: 'a'.repeat(20) }
  connection.subscribe('offthread.tools.old.open', {
    queue: 'offthread-tools',
    callback: (_, message) => void message.respond(JSON.stringify(old)),
  })

  await expect(inFleet([leaveTrace], connection, { fleet: 'old' }).check()).rejects.toMatchObject({
    kind: 'version',
    message:
      "The process old-1 has version 0 of the fleet's protocol, the page version 1: use the same version of @offthread/fleet for both.",
  })
})

test('[F8] a process refuses a page of another version', async () => {
  await fleets.start({ ...deeds, fleet: 'new' }, { env })
  const request = JSON.stringify({ version: 2, anything: 'else' })

  const answer = await connection.request('offthread.tools.new.open', request)

  expect(answer.json()).toMatchObject({ version: 1, type: 'refuse', reason: 'version' })
})

test('[F8] a process answers to an inbox and nowhere else', async () => {
  await fleets.start({ ...deeds, fleet: 'elsewhere' }, { env })
  const got: string[] = []
  connection.subscribe('offthread.session.>', {
    callback: (_, { subject }) => void got.push(subject),
  })
  const ask = { version: 1, callId: 'b'.repeat(20), heartbeatMs: 100 }
  const subject = 'offthread.tools.elsewhere.open'

  connection.publish(subject, JSON.stringify(ask), { reply: 'offthread.session.other' })
  // It has read the first request when it answers the second.
  await connection.request(subject, JSON.stringify({ ...ask, version: 0 }))

  expect(got).toEqual([])
})

test('[F9] the command says what is wrong', async () => {
  const nats = ['--nats', server.url]

  expect(await fleets.run(['start'])).toMatchObject({
    code: 2,
    printed: expect.stringContaining('Usage: offthread-tools serve SCRIPT'),
  })
  expect(await fleets.run(['serve', 'a.js', '--calls', 'many'])).toMatchObject({ code: 2 })
  expect(await fleets.run(['serve', '/nowhere.js', ...nats])).toMatchObject({
    code: 1,
    printed: expect.stringContaining('/nowhere.js serves no tools. Cannot find module'),
  })
  expect(await fleets.run(['serve', fleets.script('nothing'), ...nats])).toMatchObject({
    code: 1,
    printed: expect.stringContaining('It does not call serveTools([…]) at its top level.'),
  })
})

test('[F9] a process that is to end takes no more calls, and ends with its last', async () => {
  const { child, ended } = await fleets.start({ ...deeds, fleet: 'ending', calls: 2 }, { env })
  const host = inFleet([leaveTrace], connection, { fleet: 'ending', heartbeatMs })
  const last = askForCalls({ host }, [{ file: '/dev/null', how: 'wait' }])
  const { toolCallId } = await last.shown(({ partial }) => partial !== undefined)

  child.kill('SIGTERM')
  await expect
    .poll(() => host.check().catch((error: unknown) => error), { timeout: patienceMs })
    .toMatchObject({ kind: 'no_process' })
  expect(child.exitCode).toBeNull()
  last.agent.cancelTool(toolCallId)

  expect(await last.ended()).toMatchObject([{ status: 'cancelled', how: 'cooperative' }])
  expect(await ended).toEqual([0, null])
})

test('[F4] [F9] a process that gets two signals to end ends its calls, and says so', async () => {
  const { child, ended } = await fleets.start({ ...deeds, fleet: 'twice', name: 'p' }, { env })
  const host = inFleet([leaveTrace], connection, { fleet: 'twice', heartbeatMs })
  const last = askForCalls({ host }, [{ file: '/dev/null', how: 'wait' }])
  await last.shown(({ partial }) => partial !== undefined)

  child.kill('SIGTERM')
  await once(child.stdout ?? child, 'data')
  child.kill('SIGTERM')

  const [card] = await last.ended()
  expect(card).toMatchObject({ errorKind: 'crashed', mayHaveRun: true })
  expect(JSON.stringify(card?.result?.content)).toContain(
    'The process p was ended, and the call with it',
  )
  expect(await ended).toEqual([0, null])
})

/** So rare that none is missed. */
const heartbeatMs = 60_000
const deeds = { nats: server.url, script: 'deeds' } as const
