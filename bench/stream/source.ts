/** A connection brings several pieces at a time, because timers of a page fire every 4 ms at most. */
const deltasPerTask = 10
const tasks = 300

export const delta = 'some words '
export const deltas = deltasPerTask * tasks

/** Delivers the pieces of one answer as a connection does: some in each task, 3,000 in a bit more than a second. */
export function playDeltas(receive: (delta: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let played = 0
    // A frame by itself costs the page something, so each contestant gets one, even one that shows nothing.
    const keepFrames = () => {
      if (played < tasks) requestAnimationFrame(keepFrames)
    }
    keepFrames()
    const play = () => {
      for (let i = 0; i < deltasPerTask; i++) receive(delta)
      played += 1
      if (played < tasks) setTimeout(play, 4)
      else resolve()
    }
    play()
  })
}
