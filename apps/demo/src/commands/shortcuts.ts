import { storedChoice } from '../stored-choice.ts'

/** A way to do something with the keyboard. */
interface Shortcut {
  /** Alternatives, each of keys that are pressed together: `Mod + K`. `Mod` is Ctrl, or Cmd on a Mac. */
  readonly keys: readonly string[]
  readonly does: string
}

/** The keys of the page, by where they work. Those of widgets, such as a list or a slider, are the usual ones. */
export const shortcuts = {
  Anywhere: {
    commands: { keys: ['Mod + K'], does: 'Show all commands' },
    panel: { keys: ['Mod + J'], does: 'Open or close the run panel' },
    timeline: { keys: ['Mod + Shift + J'], does: 'Go to the timeline' },
    stop: { keys: ['Esc'], does: 'Close what is open, leave a replay, stop the run' },
    messages: { keys: ['Alt + ↑', 'Alt + ↓'], does: 'Go to the message before or after' },
    answer: { keys: ['Alt + R'], does: 'Go to the last answer' },
    approval: { keys: ['Alt + A'], does: 'Go to the next call that asks to run' },
    keys: { keys: ['?'], does: 'Show these keys, outside of fields' },
  },
  'In the message field': {
    send: { keys: ['Enter'], does: 'Send, or queue while a run is active' },
    steer: { keys: ['Mod + Enter'], does: 'Say it into the run that is active' },
    line: { keys: ['Shift + Enter'], does: 'Start a new line' },
    edit: { keys: ['↑'], does: 'In the empty field: edit the last question' },
  },
  'On a tool call': {
    open: { keys: ['Enter'], does: 'Open or close it' },
    cancel: { keys: ['C'], does: 'Cancel it' },
    retry: { keys: ['R'], does: 'Retry it' },
    copy: { keys: ['Y'], does: 'Copy its input' },
  },
  'In the run panel': {
    rows: { keys: ['↑', '↓', 'Enter'], does: 'Choose a row, and show its events' },
    cancel: { keys: ['C'], does: 'Cancel the call that is chosen' },
    zoom: { keys: ['+', '-', '0'], does: 'Zoom the timeline, or show all of it' },
    pan: { keys: ['←', '→'], does: 'Move the timeline' },
    step: { keys: [',', '.'], does: 'In a replay: one event back or on' },
    skip: { keys: ['<', '>'], does: 'In a replay: to the start or end before or after' },
    play: { keys: ['Space'], does: 'In a replay: play or pause' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Shortcut>>>>

/** The keys of the page, as a list for the dialog that shows them. */
export const shortcutGroups = Object.entries<Readonly<Record<string, Shortcut>>>(shortcuts).map(
  ([where, keys]) => ({ where, keys: Object.values(keys) }),
)

const isMac = /Mac|iP/.test(globalThis.navigator?.platform ?? '')

/** A key as the keyboard of this computer names it. */
export function nameOfKey(key: string): string {
  if (key === 'Mod') return isMac ? '⌘' : 'Ctrl'
  return key === 'Alt' && isMac ? '⌥' : key
}

const singleKeys = storedChoice('offthread-single-keys', ['on', 'off'])

/** Whether `?` and the keys on a tool call do anything. */
export function hasSingleKeys(): boolean {
  return singleKeys.getState().chosen === 'on'
}

/** Turns single keys on or off: people who dictate, or who press keys by accident, turn them off. */
export function setSingleKeys(isOn: boolean): void {
  singleKeys.choose(isOn ? 'on' : 'off')
}
