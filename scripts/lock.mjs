import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits until no other process holds the lock and holds it until released or until we are gone.
 *
 * The lock is a folder with one empty file, named like the process that holds it. It appears
 * complete, by a rename that fails while there is another; and whoever clears up after a dead
 * holder removes that holder's file and a folder that is empty, so never somebody else's lock.
 *
 * @param {string} lock
 * @param {(pid: number) => void} onWait called once for each process that has to be waited for
 * @returns {Promise<() => void>} releases the lock
 */
export async function holdLock(lock, onWait) {
  const release = () => remove(lock, process.pid)
  // A process that had our number held it before a restart; we do not hold it yet.
  release()
  let waitingFor = 0
  while (!take(lock)) {
    const pid = holderOf(lock)
    if (!isAlive(pid)) remove(lock, pid)
    else if (pid !== waitingFor) onWait(pid)
    waitingFor = pid
    await sleep(100)
  }
  process.once('exit', release)
  return () => {
    process.off('exit', release)
    release()
  }
}

/** @param {string} lock */
function take(lock) {
  const own = `${lock}.${process.pid}`
  mkdirSync(own, { recursive: true })
  writeFileSync(join(own, String(process.pid)), '')
  try {
    renameSync(own, lock)
    return true
  } catch (error) {
    rmSync(own, { recursive: true })
    if (holderOf(lock) || isTaken(error)) return false
    throw error
  }
}

/** @param {unknown} error */
function isTaken(error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // The last one is what Windows calls it.
  return code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM'
}

/**
 * @param {string} lock
 * @returns {number} 0 when nobody holds it
 */
function holderOf(lock) {
  try {
    return Number(readdirSync(lock)[0] ?? 0)
  } catch {
    return 0
  }
}

/** @param {number} pid */
function isAlive(pid) {
  if (!pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Alive, but not ours to signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * @param {string} lock
 * @param {number} pid
 */
function remove(lock, pid) {
  rmSync(join(lock, String(pid)), { force: true })
  try {
    rmdirSync(lock)
  } catch {
    // It is gone already, or somebody else's by now.
  }
}
