import { storedChoice } from '../stored-choice.ts'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const choice = storedChoice('offthread-theme', themes)

/** The theme of the page. */
export const theme = {
  ...choice,
  /** Applies a theme and stores it. */
  choose: (chosen: Theme): void => {
    apply(chosen)
    choice.choose(chosen)
  },
  /** Applies the theme that was chosen before. */
  apply: (): void => apply(choice.getState().chosen),
}

function apply(chosen: Theme): void {
  document.documentElement.dataset['theme'] = chosen
}
