import { waysOfFrame, waysOfWorker } from '../packages/isolated/src/fixtures/ways-out.fixtures.ts'
import { frameHtml, isolatedFrameHtml } from '../packages/isolated/src/frame-html.ts'
import { frameScript } from '../packages/isolated/src/frame-script.ts'
import { runRaw } from './run-raw.ts'
import { require } from './run-trials.ts'

/** Where nothing may arrive. */
const outside = new URLSearchParams(location.search).get('outside') ?? ''

/**
 * What arrives outside when a frame and its worker try every way. Without a policy: the frame as it is made. `isEnough`: what
 * is waited for, as the workers of a worker start late on a busy machine.
 */
export async function triedOut(
  policy: string | undefined,
  isEnough: (arrived: readonly string[]) => boolean = () => true,
): Promise<readonly string[]> {
  await arrivedOutside()
  const html = policy === undefined ? isolatedFrameHtml() : frameHtml(frameScript, policy)
  const { close } = await runRaw(waysOfWorker(outside), { html, probe: waysOfFrame(outside) })
  const arrived = [...(await arrivedOutside())]
  for (let tries = 0; tries < 60 && !isEnough(arrived); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    arrived.push(...(await arrivedOutside()))
  }
  close()
  require(isEnough(arrived), arrived)
  return arrived
}

/** What has arrived since this was asked last. */
async function arrivedOutside(): Promise<readonly string[]> {
  const text = await fetch(`${outside}arrived`).then((it) => it.text())
  return text.split('\n').filter((path) => path !== '')
}

export function countsIn(arrived: readonly string[]) {
  const ofWorker = arrived.filter((path) => path.startsWith('/worker-')).length
  return { ofWorker, ofFrame: arrived.length - ofWorker }
}

/** That nothing arrives says something only where this much does. */
export function isControl(arrived: readonly string[]): boolean {
  const { ofWorker, ofFrame } = countsIn(arrived)
  return ofWorker >= 10 && ofFrame >= 20
}
