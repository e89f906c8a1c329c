import { readFileSync } from 'node:fs'
import { connect } from '@nats-io/transport-node'
import { expect, onTestFinished, test } from 'vitest'
import { leaveTrace } from '../../packages/fleet/src/fixtures/deeds.fixtures.ts'
import { inFleet } from '../../packages/fleet/src/index.ts'
import { startNats } from '../start-nats.mjs'
import { askForCalls } from './ask-agent.ts'
import { buildFleet } from './fleet-process.ts'

const fleets = await buildFleet()

test('[F8] with the permissions of the guide calls run, and no user reads what is sent to another', async () => {
  const guide = readFileSync('docs/fleet.md', 'utf8')
  const [ofAda = '', ofProcess = ''] = [...guide.matchAll(/```\n(permissions[\s\S]*?)```/g)].map(
    ([, block = '']) => block,
  )
  const users = [
    `{ user: ada, password: a, ${ofAda} }`,
    `{ user: bob, password: b, ${ofAda.replaceAll('ada', 'bob')} }`,
    `{ user: process, password: p, ${ofProcess} }`,
  ]
  const config = `authorization { users: [${users.join(',\n')}] }`
  const server = await startNats({ jetStream: false, config })
  onTestFinished(server.stop)
  const env = { NATS_USER: 'process', NATS_PASSWORD: 'p' }
  await fleets.start({ nats: server.url, script: 'deeds' }, { env })
  const signIn = async (user: string, pass: string) => {
    const connection = await connect({ servers: server.url, user, pass })
    onTestFinished(() => connection.close())
    return connection
  }
  const [ada, bob] = [await signIn('ada', 'a'), await signIn('bob', 'b')]
  const refused: unknown[] = []
  const got: string[] = []
  for (const subject of ['_INBOX_ada.>', '_INBOX.>', 'offthread.tools.default.>', '>']) {
    bob.subscribe(subject, {
      callback: (error, message) => void (error ? refused.push(error) : got.push(message.subject)),
    })
  }
  await bob.flush()

  const host = inFleet([leaveTrace], ada, { inbox: '_INBOX_ada', heartbeatMs: 60_000 })
  const cards = await askForCalls({ host }, [{ file: '/dev/null', how: 'report all' }]).ended()

  expect(cards).toMatchObject([{ status: 'succeeded' }])
  expect(refused).toHaveLength(4)
  expect(got).toEqual([])
  // The inbox of everyone is not one of hers.
  await expect(inFleet([leaveTrace], ada).check()).rejects.toMatchObject({
    kind: 'connection',
    message: expect.stringContaining('may not subscribe to its inbox'),
  })
})

test('[F8] with the accounts of the guide users share tools, and see nothing of each other', async () => {
  const guide = readFileSync('docs/fleet.md', 'utf8')
  const [, accounts = ''] = /```\n(accounts \{[\s\S]*?)```/.exec(guide) ?? []
  const config = accounts.replaceAll('"…"', 'secret')
  const server = await startNats({ jetStream: false, config })
  onTestFinished(server.stop)
  const signIn = async (user: string) => {
    const connection = await connect({ servers: server.url, user, pass: 'secret' })
    onTestFinished(() => connection.close())
    return connection
  }
  const [ada, bob] = [await signIn('ada'), await signIn('bob')]
  const [onAda, onBob] = [{ inbox: '_INBOX_ada' }, { inbox: '_INBOX_bob' }]
  await expect(inFleet([leaveTrace], ada, onAda).check()).rejects.toMatchObject({
    kind: 'no_process',
  })
  const env = { NATS_USER: 'process', NATS_PASSWORD: 'secret' }
  const { child } = await fleets.start({ nats: server.url, script: 'deeds' }, { env })
  const got: string[] = []
  for (const subject of ['>', '_INBOX_ada.>', 'offthread.tools.default.>']) {
    bob.subscribe(subject, { callback: (_, message) => void got.push(message.subject) })
  }
  await bob.flush()

  const host = inFleet([leaveTrace], ada, onAda)
  const { agent, ended } = askForCalls({ host }, [{ file: '/dev/null', how: 'report all' }])
  const [card] = await ended()
  const [artifact] = card?.result?.artifacts ?? []
  const bytes = await (await agent.getArtifact(artifact?.artifactId ?? ''))?.arrayBuffer()
  expect(bytes?.byteLength).toBe(3_000_000)
  expect(got).toEqual([])

  const ofBob = inFleet([leaveTrace], bob, onBob)
  const others = await askForCalls({ host: ofBob }, [
    { file: '/dev/null', how: 'report all' },
  ]).ended()
  expect(others).toMatchObject([{ status: 'succeeded' }])
  expect(got.filter((subject) => subject.startsWith('_INBOX_ada'))).toEqual([])

  // A process that is killed is missed across accounts, too.
  const waiting = askForCalls({ host }, [{ file: '/dev/null', how: 'wait' }])
  await waiting.shown(({ partial }) => partial !== undefined)
  child.kill('SIGKILL')
  expect(await waiting.ended()).toMatchObject([{ status: 'failed' }])
})
